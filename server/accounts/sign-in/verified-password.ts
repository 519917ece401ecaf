import type { TenantCall, UserCall } from '../../core/call.ts'
import type { PasswordHasher } from '../../passwords/password-hasher.ts'
import type { Services } from '../../services.ts'
import type { UserCredential } from '../user.ts'
import { withFailureBudgets } from './failed-passwords.ts'

/** A password that matched the stored hash of a user. */
interface VerifiedPassword {
  readonly userId: string
  readonly password: string
  readonly hash: string
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

/** Compares the password of the signed-in user, within the failure budgets of sign-in. */
export async function verifyOwnPassword(
  password: string,
  call: UserCall<'INVALID_CREDENTIALS'>,
  { hasher, budgets }: Services,
): Promise<VerifiedPassword> {
  const { storage, user } = call
  // By id, because the address may be changing at this moment.
  const found = await storage.users.findCredential(user.id)
  const account = { name: user.email ?? user.id, userId: user.id }
  const hash = await withFailureBudgets(account, call, budgets, () => verifyPassword(found, password, call, hasher))
  if (hash === null) throw call.refuse('INVALID_CREDENTIALS')
  return { userId: user.id, password, hash }
}

/**
 * Acts on a verified password. When the stored hash was replaced after it was read, the new one may be of the same password:
 * then it is compared and acted on, too.
 * @param act returns null when the given hash is not the stored one
 * @returns null when the password was changed or removed
 */
export async function withStoredHash<T>(
  { userId, password, hash }: VerifiedPassword,
  call: TenantCall,
  hasher: PasswordHasher,
  act: (hash: string) => Promise<T | null>,
): Promise<T | null> {
  const done = await act(hash)
  if (done !== null) return done
  const stored = (await call.storage.users.findCredential(userId))?.passwordHash ?? null
  if (stored === null || stored === hash) return null
  return (await hasher.verify(stored, password, call)) ? act(stored) : null
}
