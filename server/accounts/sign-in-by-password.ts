import type { TenantCall } from '../core/handler.ts'
import { ClientGone, type PasswordHasher, PasswordHasherBusy } from '../passwords/password-hasher.ts'
import type { Services } from '../services.ts'
import { withFailureBudgets } from './failed-passwords.ts'
import { ofUser } from './refused-sign-in.ts'
import { type OpenSession, openSession } from './start-session.ts'
import type { UserCredential } from './user.ts'

/** Signs in by password. An unknown address and a wrong password get the same answer after the same work. */
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
  if (found === null || verifiedHash === null) throw ofUser(found?.user.id, call.refuse('INVALID_CREDENTIALS'))

  // Read again: hashing takes long, and the user may have been suspended meanwhile.
  const open = ({ user: { id } }: UserCredential, verified: string) =>
    storage.write(async (tx) => {
      const user = await tx.users.confirmPassword(id, verified)
      if (user === null) return null
      return { verified, opened: await openSession(tx, { user, amr: ['pwd'], isNewUser: false }, call, services) }
    })
  const done = (await open(found, verifiedHash)) ?? (await openAfterChange())
  if (done === null) throw ofUser(found.user.id, call.refuse('INVALID_CREDENTIALS'))
  await renewHash(done.opened.session.userId, done.verified, password, call, hasher)
  return done.opened

  /** The stored hash was replaced after it was read. The password may be the same, so the new hash decides. */
  async function openAfterChange() {
    const again = await storage.users.findByEmail(email)
    if (again === null || again.passwordHash === null || again.passwordHash === verifiedHash) return null
    return (await hasher.verify(again.passwordHash, password, call)) ? open(again, again.passwordHash) : null
  }
}

/** The stored hash that the password matches; null after the same work when there is none. */
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

/** Hashes the password again when the stored hash was imported or has outdated parameters. */
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
    // The session is open; the next sign-in tries again.
    if (!(error instanceof PasswordHasherBusy || error instanceof ClientGone)) throw error
  }
}
