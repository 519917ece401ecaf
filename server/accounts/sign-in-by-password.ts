import type { TenantCall } from '../core/handler.ts'
import { ClientGone, type PasswordHasher, PasswordHasherBusy } from '../passwords/password-hasher.ts'
import type { Services } from '../services.ts'
import { withFailureBudgets } from './failed-passwords.ts'
import { type OpenSession, openSession } from './start-session.ts'
import type { UserCredential } from './user.ts'

/**
 * By password (design 6). Unknown and wrong are one answer after the same work.
 * @throws INVALID_CREDENTIALS
 */
export async function signInByPassword(
  { email, password }: { readonly email: string; readonly password: string },
  call: TenantCall<'INVALID_CREDENTIALS' | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  const { storage } = call
  const { hasher, budgets } = services
  const found = await storage.users.findByEmail(email, { evenly: true })
  const account = { name: email, userId: found?.user.id ?? null }
  const verifiedHash = await withFailureBudgets(account, call, budgets, () =>
    verifyPassword(found, password, call, hasher),
  )
  if (found === null || verifiedHash === null) throw call.refuse('INVALID_CREDENTIALS')

  const open = ({ user }: UserCredential, verified: string) =>
    storage.write(async (tx) => {
      if (!(await tx.users.confirmPassword(user.id, verified))) return null
      return { verified, opened: await openSession(tx, { user, amr: ['pwd'], isNewUser: false }, call, services) }
    })
  const done = (await open(found, verifiedHash)) ?? (await openAfterChange())
  if (done === null) throw call.refuse('INVALID_CREDENTIALS')
  await renewHash(done.opened.session.userId, done.verified, password, call, hasher)
  return done.opened

  /** The stored hash was replaced after it was read. The password may still be the same: the new hash decides. */
  async function openAfterChange() {
    const again = await storage.users.findByEmail(email)
    if (again === null || again.passwordHash === null || again.passwordHash === verifiedHash) return null
    return (await hasher.verify(again.passwordHash, password, call)) ? open(again, again.passwordHash) : null
  }
}

/** The stored hash that the password fits; null after the same work when there is none. */
export async function verifyPassword(
  found: UserCredential | null,
  password: string,
  call: TenantCall,
  hasher: PasswordHasher,
): Promise<string | null> {
  const stored = found?.passwordHash ?? null
  if (stored !== null) return (await hasher.verify(stored, password, call)) ? stored : null
  await hasher.spend(call)
  return null
}

/** Parameters have grown since, or the hash was imported: the password is at hand, so it is hashed anew (design 5). */
async function renewHash(
  userId: string,
  verifiedHash: string,
  password: string,
  call: TenantCall,
  hasher: PasswordHasher,
): Promise<void> {
  if (!hasher.needsRehash(verifiedHash)) return
  try {
    await call.storage.users.rehashPassword(userId, verifiedHash, await hasher.hash(password, call))
  } catch (error) {
    // The session stands, and the next sign-in renews as well.
    if (!(error instanceof PasswordHasherBusy || error instanceof ClientGone)) throw error
  }
}
