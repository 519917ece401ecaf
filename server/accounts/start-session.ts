import { hash, randomBytes } from 'node:crypto'
import type { SessionAnswer } from '../../contract/accounts.ts'
import type { TenantCall } from '../handler.ts'
import { ulid } from '../ids.ts'
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import { type Session, type SessionStore, sessionAbsoluteMs, sessionIdleMs } from './session.ts'
import { presentUser, type User } from './user.ts'

/** A session about to be stored, with the secrets its client is handed once. */
export interface NewSession {
  readonly session: Session
  readonly refreshToken: string
}

/** A session of `userId` from now on. The refresh token is opaque, 256 bits (design 6). */
export function newSession(userId: string, now: number): NewSession {
  return {
    session: {
      id: ulid(now),
      userId,
      createdAt: now,
      lastUsedAt: now,
      idleExpiresAt: now + sessionIdleMs,
      expiresAt: now + sessionAbsoluteMs,
      revokedAt: null,
    },
    refreshToken: randomBytes(32).toString('base64url'),
  }
}

const maxUserAgentLength = 512

/** Stores it, with the hash of its refresh token and the device as the request shows it. */
export function storeSession(
  sessions: SessionStore,
  { session, refreshToken }: NewSession,
  call: TenantCall,
): Promise<void> {
  const userAgent = call.userAgent?.slice(0, maxUserAgentLength) ?? null
  return sessions.add(session, hash('sha256', refreshToken, 'hex'), { userAgent, address: call.address })
}

/** The answer of every sign-in (design 6). */
export async function presentSession(
  { session, refreshToken }: NewSession,
  user: User,
  how: { readonly amr: readonly string[]; readonly isNewUser: boolean },
  call: TenantCall,
  accessTokens: AccessTokens,
): Promise<SessionAnswer> {
  const subject = {
    tenantId: call.tenant.tenant.id,
    userId: user.id,
    sessionId: session.id,
    amr: how.amr,
    guest: user.guest,
  }
  return {
    accessToken: await accessTokens.sign(subject, call.now),
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    refreshToken,
    user: presentUser(user),
    isNewUser: how.isNewUser,
  }
}
