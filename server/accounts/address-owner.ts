import type { TenantCall, UserCall } from '../handler.ts'
import { proveAddress } from '../otp/first-proof.ts'
import { ServiceError } from '../service-error.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { addNewUser } from './new-account.ts'
import type { Entrance } from './start-session.ts'
import type { Address, User } from './user.ts'

/** The user whose address was proven just now, made where there is nobody. */
export async function ownerOf(tx: Tx, address: Address, call: TenantCall): Promise<Omit<Entrance, 'amr'>> {
  const { now } = call
  const id = await findHolder(tx, address)
  if (id === null) {
    const proven = 'email' in address ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }
    return { user: await addNewUser(tx, { ...address, ...proven }, call), isNewUser: true }
  }
  await proveAddress(tx, await hold(tx, id), address, now)
  return { user: await readBack(tx, id), isNewUser: false }
}

/** The id of the user who has an address, proven or not. */
async function findHolder(tx: Tx, address: Address): Promise<string | null> {
  if ('phone' in address) return (await tx.users.findByPhone(address.phone))?.id ?? null
  return (await tx.users.findByEmail(address.email))?.user.id ?? null
}

/**
 * A user found a moment ago, held.
 * @throws WriteConflict when deleted since
 */
export async function hold(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.hold(id)
  if (user === null) throw new WriteConflict('A user found by this transaction has just gone')
  return user
}

/**
 * The user who calls, held.
 * @throws TOKEN_USER_NOT_FOUND when deleted since the gates let the call in
 */
export async function holdCaller(tx: Tx, { user }: UserCall): Promise<User> {
  const held = await tx.users.hold(user.id)
  if (held === null) throw new ServiceError('TOKEN_USER_NOT_FOUND')
  return held
}

/** A held user as the transaction has left it. */
export async function readBack(tx: Tx, id: string): Promise<User> {
  const user = await tx.users.find(id)
  if (user === null) throw new WriteConflict('A user held by this transaction has gone')
  return user
}
