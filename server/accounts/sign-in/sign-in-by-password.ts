import type { TenantCall } from '../../core/call.ts'
import { ClientGone, type PasswordHasher, PasswordHasherBusy } from '../../passwords/password-hasher.ts'
import type { Services } from '../../services.ts'
import { type OpenSession, openSession, type SignedInUser } from '../sessions/start-session.ts'
import { withFailureBudgets } from './failed-passwords.ts'
import { ofUser } from './refused-sign-in.ts'
import { verifyPassword, withStoredHash } from './verified-password.ts'

interface PasswordSignIn extends Pick<SignedInUser, 'endOtherSessions'> {
  readonly email: string
  readonly password: string
}

/** Signs in by password. An unknown address and a wrong password get the same answer after the same work. */
export async function signInByPassword(
  { email, password, endOtherSessions }: PasswordSignIn,
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
  const open = (hash: string) =>
    storage.write(async (tx) => {
      const user = await tx.users.confirmPassword(found.user.id, hash)
      if (user === null) return null
      const signedIn = { user, amr: ['pwd'], isNewUser: false, endOtherSessions }
      return { hash, opened: await openSession(tx, signedIn, call, services) }
    })
  const done = await withStoredHash({ userId: found.user.id, password, hash: verifiedHash }, call, hasher, open)
  if (done === null) throw ofUser(found.user.id, call.refuse('INVALID_CREDENTIALS'))
  await renewHash(found.user.id, done.hash, password, call, hasher)
  return done.opened
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
