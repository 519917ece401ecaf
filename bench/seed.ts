import { ulid } from '../server/core/ids.ts'
import { createPasswordHasher } from '../server/passwords/password-hasher.ts'
import {
  type BenchOtp,
  benchCode,
  benchPassword,
  emailOf,
  otpIdOf,
  otpRow,
  type People,
  profileRow,
  sessionRow,
  spread,
  userRow,
} from './people.ts'
import type { Rows } from './rows.ts'
import type { BenchTenant } from './tenant.ts'

/** Encrypts a code for its row. */
export type Sealer = (code: string, otp: { id: string; scope: BenchOtp['scope']; recipient: string }) => string

/** A database, and the tenant whose rows it gets. */
interface Seeded {
  readonly rows: Rows
  readonly tenant: BenchTenant
  readonly people: People
  readonly sealCode: Sealer
}

/** Users with a password, a profile and a pending one-time password each; some have sessions. */
export async function seedPeople({ rows, tenant, people, sealCode }: Seeded): Promise<void> {
  const of = { tenantId: tenant.tenantId, now: Date.now() }
  // One hash for all, because hashing takes 20 ms.
  const passwordHash = await createPasswordHasher().hash(benchPassword, { tenantId: tenant.tenantId })
  const users = Array.from({ length: people.users }, (_, user) => user)
  await rows.insert(
    'users',
    users.map((user) => userRow(user, passwordHash, of)),
  )
  await rows.insert(
    'profiles',
    users.map((user) => profileRow(user, tenant.schemaVersion, of)),
  )
  const sessions = Array.from({ length: 2 * people.sessions }, (_, session) => session)
  await rows.insert(
    'sessions',
    sessions.map((session) => sessionRow(session, people, of)),
  )
  const otps = users.map((user) => ({ id: otpIdOf(user), user, scope: 'otp_signin', state: 'pending' }) as const)
  await rows.insert(
    'otps',
    otps.map((otp) => otpRow(otp, seal(otp, sealCode), of)),
  )
}

/** Adds `count` one-time passwords for different users and returns their ids. They have no message to be delivered. */
export async function addOtps(
  { rows, tenant, people, sealCode }: Seeded,
  count: number,
  kind: Pick<BenchOtp, 'scope' | 'state'>,
): Promise<string[]> {
  const of = { tenantId: tenant.tenantId, now: Date.now() }
  const next = spread(people.users)
  const otps = Array.from({ length: count }, () => ({ id: ulid(of.now), user: next(), ...kind }))
  await rows.insert(
    'otps',
    otps.map((otp) => otpRow(otp, seal(otp, sealCode), of)),
  )
  return otps.map(({ id }) => id)
}

const seal = (otp: BenchOtp, sealCode: Sealer): string | null =>
  otp.state === 'verified' ? null : sealCode(benchCode, { ...otp, recipient: emailOf(otp.user) })
