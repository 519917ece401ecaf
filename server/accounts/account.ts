import type * as operations from '../../contract/account.ts'
import type { Account } from '../../contract/user.ts'
import type { Handler } from '../handler.ts'
import type { Stores } from '../storage/storage.ts'
import { eraseUser } from './erase-user.ts'
import { presentIdentities } from './identity.ts'
import { presentUser, type User } from './user.ts'

/** A user with every way into the account. */
export const presentAccount = async ({ identities }: Pick<Stores, 'identities'>, user: User): Promise<Account> => ({
  ...presentUser(user),
  identities: presentIdentities(user, user.providers.length === 0 ? [] : await identities.listOf(user.id)),
})

/** `GET /account` (design 6). */
export const getAccount =
  (): Handler<typeof operations.getAccount> =>
  (_input, { storage, user }) =>
    presentAccount(storage, user)

/** `DELETE /account` (design 6). */
export const deleteAccount =
  (): Handler<typeof operations.deleteAccount> =>
  async (_input, { now, storage, user }) => {
    await storage.write((tx) => eraseUser(tx, user.id, now))
    return undefined
  }
