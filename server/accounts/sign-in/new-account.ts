import type { TenantCall } from '../../core/call.ts'
import { ulid } from '../../core/ids.ts'
import { type Tx, WriteConflict } from '../../storage/storage.ts'
import { kindOf, verifiedField } from '../addresses/address.ts'
import { type Address, newUser, type User } from '../user.ts'

/**
 * Creates the user of a first sign-in.
 * @throws WriteConflict when another transaction created a user with this address; the retry finds that user
 */
export async function addNewUser(
  tx: Tx,
  given: Partial<User>,
  { now, snapshot, refuse }: TenantCall<'RESTRICTED_CAPABILITY'>,
  passwordHash: string | null = null,
): Promise<User> {
  if (snapshot.tenant.restrictedCapabilities.includes('sign_up')) throw refuse('RESTRICTED_CAPABILITY')
  const user = newUser(ulid(now), now, { ...given, hasPassword: passwordHash !== null })
  if ((await tx.users.add(user, passwordHash)) !== null)
    throw new WriteConflict('Another transaction created a user with this address first')
  return user
}

/**
 * Creates a user with an address that was proven just now.
 * @throws WriteConflict as `addNewUser`
 */
export function addProvenUser(
  tx: Tx,
  address: Address,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  passwordHash: string | null = null,
): Promise<User> {
  return addNewUser(tx, { ...address, ...verifiedField(kindOf(address), call.now) }, call, passwordHash)
}
