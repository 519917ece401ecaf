import type { TenantCall, UserCall } from '../core/handler.ts'
import type { Services } from '../services.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { hasOtherProof, isProven, releaseAddress, transferAccount } from './first-proof.ts'
import { addProvenUser } from './new-account.ts'
import type { SignedInUser } from './start-session.ts'
import type { Address, User } from './user.ts'

/**
 * The user whose address was proven just now, by another means than their own session. Without a user of that address
 * one is made. An account that had only claimed the address becomes the prover's (`firstProof`), unless it has a proven
 * way in besides: then it loses the address and the prover becomes a new user.
 */
export async function ownerOf(
  tx: Tx,
  address: Address,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<Omit<SignedInUser, 'amr'>> {
  const id = await findHolder(tx, address)
  if (id === null) return { user: await addProvenUser(tx, address, call), isNewUser: true }
  const holder = await lockUser(tx, id)
  if (isProven(holder, address)) return { user: holder, isNewUser: false }
  if (hasOtherProof(holder, address)) {
    await releaseAddress(tx, holder, address, call, services)
    return { user: await addProvenUser(tx, address, call), isNewUser: true }
  }
  await transferAccount(tx, holder, address, call.now)
  return { user: await readBack(tx, id), isNewUser: false, firstProof: true }
}

/** The id of the user who has an address, proven or not. */
async function findHolder(tx: Tx, address: Address): Promise<string | null> {
  if ('phone' in address) return (await tx.users.findByPhone(address.phone))?.id ?? null
  return (await tx.users.findByEmail(address.email))?.user.id ?? null
}

/**
 * A user found a moment ago, locked.
 * @throws WriteConflict when deleted since
 */
export async function lockUser(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.lock(id)
  if (user === null) throw new WriteConflict('A user found by this transaction was deleted meanwhile')
  return user
}

/**
 * The user who calls, locked with the session of the call: what ends the session in the meantime wins.
 * @throws TOKEN_USER_NOT_FOUND when deleted since the request checks; INVALID_USER_TOKEN when the session ended since
 */
export async function lockCaller(
  tx: Tx,
  { user, session, now, refuse }: UserCall<'TOKEN_USER_NOT_FOUND' | 'INVALID_USER_TOKEN'>,
): Promise<User> {
  const held = await tx.users.lock(user.id)
  if (held === null) throw refuse('TOKEN_USER_NOT_FOUND')
  if (!(await tx.sessions.lockLive(user.id, session.id, now))) throw refuse('INVALID_USER_TOKEN')
  return held
}

/** A locked user as the transaction has left it. */
export async function readBack(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.find(id)
  if (user === null) throw new WriteConflict('A user locked by this transaction is gone')
  return user
}
