import type { removeIdentity as operation } from '../../contract/account.ts'
import type { Handler, TenantCall } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../storage/storage.ts'
import { addressChanged } from './account-events.ts'
import { lockCaller } from './address-owner.ts'
import type { Identity } from './identity.ts'
import { notifyAddressChange, notifyUser } from './notify-user.ts'
import { removePassword } from './remove-password.ts'
import { requireFresh } from './require-fresh.ts'
import { methodsOf, type User } from './user.ts'

/** `DELETE /account/identities/{id}` (ACCOUNT-7): never the last identity that the tenant's sign-in methods include. */
export const removeIdentity: Handler<typeof operation> = async ({ params: { identityId } }, call, services) => {
  requireFresh(call)
  const enabled = call.snapshot.configuration.auth?.methods ?? []
  await call.storage.write(async (tx) => {
    const user = await lockCaller(tx, call)
    const identities = await tx.identities.listOf(user.id)
    const left = withoutIdentity(user, identities, identityId)
    if (left === null) throw call.refuse('IDENTITY_NOT_FOUND')
    if (!methodsOf(left).some((method) => enabled.includes(method))) throw call.refuse('LAST_IDENTITY')
    await remove(tx, user, { id: identityId, provider: providerOf(identities, identityId) }, call, services)
  })
  return undefined
}

/** The user without this identity; null when the user does not have it. */
function withoutIdentity(user: User, identities: readonly Identity[], id: string): User | null {
  if (id === 'password') return user.hasPassword ? { ...user, hasPassword: false } : null
  if (id === 'email') return user.emailVerifiedAt === null ? null : { ...user, email: null, emailVerifiedAt: null }
  if (id === 'phone') return user.phoneVerifiedAt === null ? null : { ...user, phone: null, phoneVerifiedAt: null }
  const others = identities.filter((identity) => identity.id !== id)
  return others.length === identities.length ? null : { ...user, providers: others.map(({ provider }) => provider) }
}

interface Removed {
  /** `password`, `email`, `phone`, or the id of an identity at a provider. */
  readonly id: string
  readonly provider: string | undefined
}

const providerOf = (identities: readonly Identity[], id: string) => identities.find((each) => each.id === id)?.provider

/** Notices go to the addresses before the change; the one to a removed address contains a code that restores it. */
async function remove(
  tx: Tx,
  user: User,
  { id, provider }: Removed,
  call: TenantCall,
  services: Services,
): Promise<void> {
  const { now } = call
  if (id === 'email' || id === 'phone') {
    await tx.users.removeAddress(user.id, id, now)
    await tx.otps.cancelLive(user.id, now)
    await record(tx, call, addressChanged(user, id, null))
    await notifyAddressChange(tx, user, id, call, services)
    return
  }
  if (id === 'password') {
    for (const fact of await removePassword(tx, user, now)) await record(tx, call, fact)
    await tx.otps.cancelLive(user.id, now)
  } else {
    await tx.identities.remove(user.id, id)
    await record(tx, call, {
      type: 'identity.removed',
      subject: aUser(user.id),
      details: { provider, identity: id },
    })
  }
  await notifyUser(tx, user, 'identity_removed', call, services)
}
