import type { TenantCall } from '../handler.ts'
import { ulid } from '../ids.ts'
import { ServiceError } from '../service-error.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { newUser, type User } from './user.ts'

/**
 * Makes the user that somebody becomes by signing in for the first time.
 * @throws RESTRICTED_CAPABILITY where nobody may sign up
 * @throws WriteConflict when somebody of the same address came first: the transaction then finds them
 */
export async function addNewUser(tx: Tx, given: Partial<User>, { now, tenant }: TenantCall): Promise<User> {
  if (tenant.tenant.restrictedCapabilities.includes('sign_up')) throw new ServiceError('RESTRICTED_CAPABILITY')
  const user = newUser(ulid(now), now, given)
  if ((await tx.users.add(user, null)) !== null) throw new WriteConflict('Somebody of this address came first')
  return user
}
