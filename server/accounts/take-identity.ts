import type { Fact } from '../events/event.ts'
import { aUser } from '../events/subjects.ts'
import type { Tx } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { addressRemoved } from './account-events.ts'
import type { Identity } from './identity.ts'
import { removePassword } from './remove-password.ts'
import { methodsOf, type User } from './user.ts'

/** What to record of an identity that was removed, and the notice to send. */
interface TakenIdentity {
  /** The user without it. */
  readonly left: User
  readonly facts: readonly Fact[]
  readonly notice: 'email_changed' | 'phone_changed' | 'identity_removed'
}

/**
 * Removes an identity: `password`, `email`, `phone`, or the id of one at a provider. Never the last that the tenant's sign-in
 * methods include.
 * @param user locked
 * @returns the refusal when nothing was removed
 */
export async function takeIdentity(
  tx: Tx,
  user: User,
  id: string,
  { configuration }: Pick<TenantSnapshot, 'configuration'>,
  now: number,
): Promise<TakenIdentity | 'IDENTITY_NOT_FOUND' | 'LAST_IDENTITY'> {
  const enabled = configuration.auth?.methods ?? []
  const identities = await tx.identities.listOf(user.id)
  const left = withoutIdentity(user, identities, id)
  if (left === null) return 'IDENTITY_NOT_FOUND'
  if (!methodsOf(left).some((method) => enabled.includes(method))) return 'LAST_IDENTITY'
  if (id === 'email' || id === 'phone') {
    await tx.users.removeAddress(user.id, id, now)
    await tx.otps.cancelLive(user.id, now)
    return { left, facts: addressRemoved(user, id), notice: `${id}_changed` }
  }
  if (id === 'password') {
    // Without codes its owner could prove the address by a reset only, which needs a password.
    const facts = await removePassword(tx, user, { withClaim: !enabled.includes('otp') }, now)
    await tx.otps.cancelLive(user.id, now)
    return { left, facts, notice: 'identity_removed' }
  }
  await tx.identities.remove(user.id, id)
  const provider = identities.find((each) => each.id === id)?.provider
  return {
    left,
    facts: [{ type: 'identity.removed', subject: aUser(user.id), details: { provider, identity: id } }],
    notice: 'identity_removed',
  }
}

/** The user without this identity; null when the user does not have it. */
function withoutIdentity(user: User, identities: readonly Identity[], id: string): User | null {
  if (id === 'password') return user.hasPassword ? { ...user, hasPassword: false } : null
  if (id === 'email') return user.emailVerifiedAt === null ? null : { ...user, email: null, emailVerifiedAt: null }
  if (id === 'phone') return user.phoneVerifiedAt === null ? null : { ...user, phone: null, phoneVerifiedAt: null }
  const others = identities.filter((identity) => identity.id !== id)
  return others.length === identities.length ? null : { ...user, providers: others.map(({ provider }) => provider) }
}
