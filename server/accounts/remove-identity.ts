import { removeIdentity as operation } from '../../contract/account.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Handler } from '../handler.ts'
import { type Departure, leaveAddress } from '../otp/change-address.ts'
import { messageLocale } from '../otp/message-locale.ts'
import { refusalsOf } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'
import { holdCaller } from './address-owner.ts'
import type { Identity } from './identity.ts'
import { methodsOf, type User } from './user.ts'

const refuse = refusalsOf(operation)

/** `DELETE /account/identities/{id}` (design 6): never the last one that the tenant enables. */
export const removeIdentity =
  (delivery: Delivery): Handler<typeof operation> =>
  async ({ params: { identityId } }, call) => {
    const { now, tenant, storage } = call
    const enabled = tenant.configuration.auth?.methods ?? []
    const departure = { locale: await messageLocale(call.user.id, call), tenant, delivery }
    await storage.write(async (tx) => {
      const user = await holdCaller(tx, call)
      const identities = await tx.identities.listOf(user.id)
      const left = withoutIdentity(user, identities, identityId)
      if (left === null) throw refuse('IDENTITY_NOT_FOUND')
      if (!methodsOf(left).some((method) => enabled.includes(method))) throw refuse('LAST_IDENTITY')
      await remove(tx, user, identityId, departure, now)
    })
    delivery.wake()
    return undefined
  }

/** The user as it would be without it; null when there is no such identity. */
function withoutIdentity(user: User, identities: readonly Identity[], id: string): User | null {
  if (id === 'password') return user.hasPassword ? { ...user, hasPassword: false } : null
  if (id === 'email') return user.emailVerifiedAt === null ? null : { ...user, email: null, emailVerifiedAt: null }
  if (id === 'phone') return user.phoneVerifiedAt === null ? null : { ...user, phone: null, phoneVerifiedAt: null }
  const others = identities.filter((identity) => identity.id !== id)
  return others.length === identities.length ? null : { ...user, providers: others.map(({ provider }) => provider) }
}

async function remove(tx: Tx, user: User, id: string, departure: Departure, now: number): Promise<void> {
  if (id === 'password') {
    await tx.users.removePassword(user.id, now)
    await tx.otps.cancelLive(user.id, 'reset_password', now)
  } else if (id === 'email' || id === 'phone') {
    await tx.users.removeAddress(user.id, id, now)
    await leaveAddress(tx, user, id, departure, now)
  } else {
    await tx.identities.remove(user.id, id)
  }
}
