import { signIn as operation } from '../../contract/accounts.ts'
import type { Handler, TenantCall } from '../handler.ts'
import type { Budgets } from '../limits/budgets.ts'
import { networkOf } from '../limits/client-address.ts'
import { type PasswordHasher, PasswordHasherBusy } from '../passwords/password-hasher.ts'
import { refusalsOf } from '../service-error.ts'
import type { AccessTokens } from './access-token.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { newSession, presentSession, storeSession } from './start-session.ts'
import type { User, UserCredential } from './user.ts'

const refuse = refusalsOf(operation)

/** What signing in needs. */
export interface SignInServices {
  readonly hasher: PasswordHasher
  readonly budgets: Budgets
  readonly accessTokens: AccessTokens
}

/**
 * `POST /auth/sign-in` by password (design 6). Unknown and wrong are one answer after the same work. Failures count per
 * account and network, so a guesser is slowed and the owner elsewhere is not.
 */
export const signIn =
  ({ hasher, budgets, accessTokens }: SignInServices): Handler<typeof operation> =>
  async ({ body: { email, password } }, call) => {
    const { now, tenant, storage } = call
    requireAuthMethod('password', tenant.configuration)
    const subject = `${tenant.tenant.id} ${email} ${networkOf(call.address)}`
    await budgets.take('failed-passwords', subject, now)
    const found = await storage.users.findByEmail(email)
    const verifiedHash = await verifyPassword(found, password, hasher).catch(async (error) => {
      // Nothing was compared, so nothing failed.
      await budgets.giveBack('failed-passwords', subject, now)
      throw error
    })
    if (found === null || verifiedHash === null) throw refuse('INVALID_CREDENTIALS')
    await budgets.giveBack('failed-passwords', subject, now)

    const { user } = found
    if (user.restrictedCapabilities.includes('sign_in')) throw refuse('RESTRICTED_CAPABILITY')
    const session = newSession(user.id, now)
    const started = await storage.write(async (tx) => {
      if (!(await tx.users.confirmPassword(user.id, verifiedHash, now))) return false
      await storeSession(tx.sessions, session, call)
      return true
    })
    if (!started) throw refuse('INVALID_CREDENTIALS')
    await renewHash(user, verifiedHash, password, call, hasher)
    return presentSession(session, user, { amr: ['pwd'], isNewUser: false }, call, accessTokens)
  }

/** The stored hash that the password fits; null after the same work when there is none. */
async function verifyPassword(
  found: UserCredential | null,
  password: string,
  hasher: PasswordHasher,
): Promise<string | null> {
  const stored = found?.passwordHash ?? null
  if (stored !== null) return (await hasher.verify(stored, password)) ? stored : null
  await hasher.spend()
  return null
}

/** Parameters have grown since: the password is at hand, so its hash grows too (design 5). */
async function renewHash(
  user: User,
  verifiedHash: string,
  password: string,
  { storage }: TenantCall,
  hasher: PasswordHasher,
) {
  if (!hasher.needsRehash(verifiedHash)) return
  try {
    await storage.users.rehashPassword(user.id, verifiedHash, await hasher.hash(password))
  } catch (error) {
    // The session stands, and the next sign-in renews as well.
    if (!(error instanceof PasswordHasherBusy)) throw error
  }
}
