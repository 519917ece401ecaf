import type { Address, AddressKind } from '../../accounts/user.ts'
import { statement } from '../statement.ts'
import { timeOfChange } from './user-columns.ts'

const one = 'tenant_id = $1 AND id = $2'
/** Unless another user of the tenant has it. */
const unlessTaken = (kind: AddressKind) =>
  `${one} AND NOT EXISTS (SELECT 1 FROM users o WHERE o.tenant_id = $1 AND o.${kind} = $3 AND o.id <> $2)`

/** Changes of a user's address of one kind; removing it also assigns `lost`. */
const changesOf = (kind: AddressKind, name: string, lost = '') => ({
  verify: statement(
    `user.verify${name}`,
    `UPDATE users SET ${kind}_verified_at = COALESCE(${kind}_verified_at, ${timeOfChange('$4')}), guest = 0,
       updated_at = ${timeOfChange('$4')}
     WHERE ${one} AND ${kind} = $3`,
  ),
  set: statement(
    `user.set${name}`,
    `UPDATE users SET ${kind} = $3, guest = 0, updated_at = ${timeOfChange('$4')},
       ${kind}_verified_at = CASE WHEN ${kind} = $3 AND ${kind}_verified_at IS NOT NULL THEN ${kind}_verified_at
         WHEN $5 = $4 THEN ${timeOfChange('$4')} ELSE $5 END
     WHERE ${unlessTaken(kind)}`,
  ),
  unverify: statement(
    `user.unverify${name}`,
    `UPDATE users SET ${kind}_verified_at = NULL, updated_at = ${timeOfChange('$3')} WHERE ${one}`,
  ),
  take: statement(
    `user.take${name}`,
    `UPDATE users SET ${kind} = NULL, updated_at = ${timeOfChange('$4')}
     WHERE ${one} AND ${kind} = $3 AND ${kind}_verified_at IS NULL`,
  ),
  remove: statement(
    `user.remove${name}`,
    `UPDATE users SET ${kind} = NULL, ${kind}_verified_at = NULL${lost}, updated_at = ${timeOfChange('$3')}
     WHERE ${one}`,
  ),
})

/**
 * $1 is the tenant, $2 the user, $3 the address (except for `remove` and `unverify`), and the last one the time; of `set`
 * $4 the time, and $5 when the address was verified unless the user has it verified already.
 */
export const addressChanges = {
  email: changesOf('email', 'Email', ', password_hash = NULL'),
  phone: changesOf('phone', 'Phone'),
}

/** An address that the user already has stays verified. */
export const claimEmail = statement(
  'user.claimEmail',
  `UPDATE users SET email = $3, email_verified_at = CASE WHEN email = $3 THEN email_verified_at END, guest = 0,
     updated_at = ${timeOfChange('$4')}
   WHERE ${unlessTaken('email')}`,
)

/** The kind of address and its value. */
export const splitAddress = (address: Address): readonly [AddressKind, string] =>
  'email' in address ? ['email', address.email] : ['phone', address.phone]
