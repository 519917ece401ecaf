import type { removeIdentity as operation } from '../../contract/accounts/account.ts'
import type { Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { lockCaller } from './addresses/address-owner.ts'
import { requireAddressProof } from './addresses/require-address-proof.ts'
import { notifyAddressChange, notifyUser } from './notify-user.ts'
import { requireFresh } from './sign-in/require-fresh.ts'
import { takeIdentity } from './take-identity.ts'

/**
 * `DELETE /account/identities/{id}` (ACCOUNT-7). Notices go to the addresses before the change; the one to a removed address
 * contains a code that restores it.
 */
export const removeIdentity: Handler<typeof operation> = async ({ params: { identityId } }, call, services) => {
  requireFresh(call)
  await call.storage.write(async (tx) => {
    const user = await lockCaller(tx, call)
    const isAddress = identityId === 'email' || identityId === 'phone'
    if (isAddress) await requireAddressProof(tx, user, identityId, call)
    const taken = await takeIdentity(tx, user, identityId, call.snapshot, call.now)
    if (typeof taken === 'string') throw call.refuse(taken)
    for (const fact of taken.facts) await record(tx, call, fact)
    if (isAddress) await notifyAddressChange(tx, user, identityId, call, services)
    else await notifyUser(tx, user, taken.notice, call, services)
  })
  return undefined
}
