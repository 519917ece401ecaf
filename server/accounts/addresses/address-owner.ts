import type { TenantCall, UserCall } from '../../core/call.ts'
import type { Services } from '../../services.ts'
import { type Tx, WriteConflict } from '../../storage/storage.ts'
import { isSuspended } from '../restriction.ts'
import type { SignedInUser } from '../sessions/start-session.ts'
import { addProvenUser } from '../sign-in/new-account.ts'
import type { Address, User } from '../user.ts'
import { hasAddress, isProven } from './address.ts'
import { hasOtherProof, releaseAddress, transferAccount } from './first-proof.ts'

/**
 * The user who owns an address that was proven just now, outside their own session. Without a user of that address,
 * creates one. An account that had only claimed the address becomes theirs (`firstProof`), unless it has another proof:
 * then it loses the address, and a new user is created.
 */
export async function ownerOf(
  tx: Tx,
  address: Address,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<Omit<SignedInUser, 'amr'>> {
  const found = await findHolder(tx, address)
  if (found === null) return { user: await addProvenUser(tx, address, call), isNewUser: true }
  const holder = await lockUser(tx, found.id)
  if (!hasAddress(holder, address))
    throw new WriteConflict('The user found by this address has lost it in the meantime')
  if (isProven(holder, address)) return { user: holder, isNewUser: false }
  if (await hasOtherProof(tx, holder, address, call.now)) {
    await releaseAddress(tx, holder, address, call, services)
    return { user: await addProvenUser(tx, address, call), isNewUser: true }
  }
  await transferAccount(tx, holder, address, call, services)
  return { user: await readBack(tx, holder.id), isNewUser: false, firstProof: true }
}

/** The user with this address, verified or not. */
export async function findHolder(tx: Tx, address: Address): Promise<User | null> {
  if ('phone' in address) return tx.users.findByPhone(address.phone)
  return (await tx.users.findByEmail(address.email))?.user ?? null
}

/**
 * Locks a user that this transaction has found.
 * @throws WriteConflict when the user was deleted in the meantime
 */
export async function lockUser(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.lock(id)
  if (user === null) throw new WriteConflict('A user found by this transaction was deleted in the meantime')
  return user
}

/** Locks the user of the call and their session, so that a change cannot overtake the end of the session or a suspension. */
export async function lockCaller(
  tx: Tx,
  { user, session, now, refuse }: UserCall<'TOKEN_USER_NOT_FOUND' | 'INVALID_USER_TOKEN' | 'RESTRICTED_CAPABILITY'>,
): Promise<User> {
  // In this order, and together: on PostgreSQL each would be a round trip.
  const [locked, isLive] = await Promise.all([tx.users.lock(user.id), tx.sessions.lockLive(user.id, session.id, now)])
  if (locked === null) throw refuse('TOKEN_USER_NOT_FOUND')
  if (!isLive) throw refuse('INVALID_USER_TOKEN')
  if (isSuspended(locked, now)) throw refuse('RESTRICTED_CAPABILITY')
  return locked
}

/** Reads a locked user again, with the changes of this transaction. */
export async function readBack(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.find(id)
  if (user === null) throw new WriteConflict('A user locked by this transaction no longer exists')
  return user
}
