import type * as operations from '../../contract/accounts/account.ts'
import type { Account } from '../../contract/accounts/user.ts'
import type { Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import type { Stores } from '../storage/storage.ts'
import { lockCaller } from './addresses/address-owner.ts'
import { eraseUser } from './erase-user.ts'
import { presentIdentities } from './identity.ts'
import { noticesOf, queueNotices } from './notify-user.ts'
import { nextFormInSession } from './sign-in/next-form.ts'
import { requireFresh } from './sign-in/require-fresh.ts'
import { presentUser, type User } from './user.ts'

/** A user with every identity of the account. */
export const presentAccount = async ({ identities }: Pick<Stores, 'identities'>, user: User): Promise<Account> => ({
  ...presentUser(user),
  identities: presentIdentities(user, user.providers.length === 0 ? [] : await identities.listOf(user.id)),
})

/** `GET /account`. */
export const getAccount: Handler<typeof operations.getAccount> = async (_input, call) => {
  const { storage, user, session } = call
  const account = await presentAccount(storage, user)
  const nextForm = await nextFormInSession(user, session, call)
  return nextForm === undefined ? account : { ...account, nextForm }
}

/** `DELETE /account` (ACCOUNT-8). */
export const deleteAccount: Handler<typeof operations.deleteAccount> = async (_input, call, services) => {
  requireFresh(call)
  await call.storage.write(async (tx) => {
    const user = await lockCaller(tx, call)
    const notices = await noticesOf(tx, user, 'account_deleted', call, services)
    await record(tx, call, { type: 'user.deleted', subject: aUser(user.id), details: { reason: 'requested' } })
    await eraseUser(tx, user, call, services.counts)
    // Queued last, because erasing a user cancels unsent messages about them.
    await queueNotices(tx, notices, services)
  })
  return undefined
}
