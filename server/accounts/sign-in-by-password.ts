import { signIn as operation } from '../../contract/sign-in.ts'
import type { TenantCall } from '../handler.ts'
import type { Budgets } from '../limits/budgets.ts'
import { type PasswordHasher, PasswordHasherBusy } from '../passwords/password-hasher.ts'
import { refusalsOf } from '../service-error.ts'
import { countingFailures } from './failed-passwords.ts'
import { type OpenSession, openSession, type SessionTokens } from './start-session.ts'
import type { UserCredential } from './user.ts'

const refuse = refusalsOf(operation)

/** What a password is compared with and counted by. */
export interface PasswordSignInServices extends SessionTokens {
  readonly hasher: PasswordHasher
  readonly budgets: Budgets
}

/**
 * By password (design 6). Unknown and wrong are one answer after the same work.
 * @throws INVALID_CREDENTIALS
 */
export async function signInByPassword(
  { email, password }: { readonly email: string; readonly password: string },
  call: TenantCall,
  services: PasswordSignInServices,
): Promise<OpenSession> {
  const { storage } = call
  const { hasher, budgets } = services
  const found = await storage.users.findByEmail(email, { evenly: true })
  const account = { name: email, userId: found?.user.id ?? null }
  const verifiedHash = await countingFailures(account, call, budgets, () => verifyPassword(found, password, hasher))
  if (found === null || verifiedHash === null) throw refuse('INVALID_CREDENTIALS')

  const { user } = found
  const opened = await storage.write(async (tx) => {
    if (!(await tx.users.confirmPassword(user.id, verifiedHash))) return null
    return openSession(tx, { user, amr: ['pwd'], isNewUser: false }, call, services)
  })
  if (opened === null) throw refuse('INVALID_CREDENTIALS')
  await renewHash(user.id, verifiedHash, password, call, hasher)
  return opened
}

/** The stored hash that the password fits; null after the same work when there is none. */
export async function verifyPassword(
  found: UserCredential | null,
  password: string,
  hasher: PasswordHasher,
): Promise<string | null> {
  const stored = found?.passwordHash ?? null
  if (stored !== null) return (await hasher.verify(stored, password)) ? stored : null
  await hasher.spend()
  return null
}

/** Parameters have grown since, or the hash was imported: the password is at hand, so it is hashed anew (design 5). */
async function renewHash(
  userId: string,
  verifiedHash: string,
  password: string,
  { storage }: TenantCall,
  hasher: PasswordHasher,
): Promise<void> {
  if (!hasher.needsRehash(verifiedHash)) return
  try {
    await storage.users.rehashPassword(userId, verifiedHash, await hasher.hash(password))
  } catch (error) {
    // The session stands, and the next sign-in renews as well.
    if (!(error instanceof PasswordHasherBusy)) throw error
  }
}
