import { hash } from 'node:crypto'
import type { Otp } from '../server/otp/otp.ts'
import type { NewRow } from './rows.ts'

/** The users of a bench by number. Their ids, addresses and codes follow from the number, so that no list is kept. */
export const emailOf = (user: number): string => `user${user}@example.com`
export const userIdOf = (user: number): string => seededId('P', user)
export const otpIdOf = (user: number): string => seededId('T', user)
export const sessionIdOf = (session: number): string => seededId('S', session)
export const refreshTokenOf = (session: number): string =>
  `rt_${sessionIdOf(session)}_${'A'.repeat(43)}_${'A'.repeat(22)}`

export const benchCode = '123456'
export const benchPassword = 'a password for the bench'

/** A ULID; ids of one kind are in the order of their numbers, as ids of users who signed up one after another are. */
const seededId = (kind: string, number: number): string => `01SEED${kind}${String(number).padStart(19, '0')}`

/** The numbers below `count` in turn, far from each other: consecutive requests find their rows on different pages. */
export function spread(count: number): () => number {
  let turn = 0
  return () => (turn++ * 61_803) % count
}

/** The number of users, and how many of them have two sessions: one for its access token, one to be refreshed. */
export interface People {
  readonly users: number
  readonly sessions: number
}

/** The user of a session; users with sessions are evenly distributed. */
export const userOfSession = (session: number, { users, sessions }: People): number =>
  Math.floor(((session % sessions) * users) / sessions)

/** What rows of people share. */
interface RowsOf {
  readonly tenantId: string
  readonly now: number
}

export const userRow = (user: number, passwordHash: string, { tenantId, now }: RowsOf): NewRow => ({
  tenant_id: tenantId,
  id: userIdOf(user),
  email: emailOf(user),
  email_verified_at: now,
  password_hash: passwordHash,
  guest: 0,
  restricted_capabilities: '[]',
  created_at: now,
  updated_at: now,
  last_active_at: now,
})

export const profileRow = (user: number, schemaVersion: string, { tenantId, now }: RowsOf): NewRow => ({
  tenant_id: tenantId,
  id: seededId('F', user),
  user_id: userIdOf(user),
  schema_version: schemaVersion,
  content: firstProfile,
  revision: 1,
  created_at: now,
  updated_at: now,
})

/** The content of every profile before its first update. */
export const firstProfile = JSON.stringify({ field0: 'first', field1: 'second', field2: 'third', field3: 'fourth' })

export const sessionRow = (session: number, people: People, { tenantId, now }: RowsOf): NewRow => ({
  tenant_id: tenantId,
  id: sessionIdOf(session),
  user_id: userIdOf(userOfSession(session, people)),
  refresh_hash: hash('sha256', refreshTokenOf(session), 'hex'),
  amr: '["pwd"]',
  address: '127.0.0.0/24',
  created_at: now,
  last_used_at: now,
  idle_expires_at: now + 86_400_000,
  expires_at: now + 86_400_000,
})

/** A one-time password for a user. */
export interface BenchOtp {
  readonly id: string
  readonly user: number
  readonly scope: 'otp_signin' | 'reset_password'
  readonly state: 'pending' | 'verified'
}

/** It may be resent any number of times. `sealedCode` is null once it is verified. */
export const otpRow = (otp: BenchOtp, sealedCode: string | null, { tenantId, now }: RowsOf): NewRow => ({
  tenant_id: tenantId,
  id: otp.id,
  scope: otp.scope,
  state: otp.state,
  user_id: userIdOf(otp.user),
  decoy: 0,
  delivery_method: 'email',
  recipient: emailOf(otp.user),
  sealed_code: sealedCode,
  resend_interval_seconds: 0,
  max_resends: 1_000_000,
  max_verify_attempts: 5,
  resend_count: 0,
  wrong_codes: 0,
  created_at: now,
  expires_at: now + 86_400_000,
  last_sent_at: now,
  verified_at: otp.state === 'verified' ? now : null,
})

/** The same as the store takes it: pending, and without a session. */
export const storedOtp = ({ id, user, scope }: Omit<BenchOtp, 'state'>, sealedCode: string, now: number): Otp => ({
  ...{ id, scope, sealedCode, state: 'pending', userId: userIdOf(user), decoy: false },
  ...{
    deliveryMethod: 'email',
    recipient: emailOf(user),
    locale: null,
    sessionId: null,
    hadPassword: null,
    addressVerifiedAt: null,
  },
  ...{ resendIntervalSeconds: 0, maxResends: 20, maxVerifyAttempts: 5, resendCount: 0, wrongCodes: 0 },
  ...{ createdAt: now, expiresAt: now + 3_600_000, lastSentAt: now },
})
