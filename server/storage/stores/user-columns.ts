import type { SocialProvider } from '../../../contract/tenants/tenant-configuration.ts'
import type { User } from '../../accounts/user.ts'
import { clockMarginMs } from '../../core/clock.ts'
import { columnsOf, computed, flag, json, number, text } from '../columns.ts'
import { parseRestrictions, splitList } from './json-columns.ts'

/** A user; in statements on one tenant, whose id is $1. */
export const users = columnsOf<User>('users', {
  id: text('id'),
  email: text('email'),
  emailVerifiedAt: number('email_verified_at'),
  phone: text('phone'),
  phoneVerifiedAt: number('phone_verified_at'),
  hasPassword: computed(
    (user) => `CASE WHEN ${user}.password_hash IS NULL THEN 0 ELSE 1 END`,
    (stored) => stored === 1,
  ),
  passwordChangedAt: number('password_changed_at'),
  codesValidFrom: number('codes_valid_from'),
  // Read from an index alone. The tenant is named again because Citus finds the shard of a subquery only by that.
  providers: computed(
    (user) =>
      `(SELECT string_agg(i.provider, ',') FROM identities i WHERE i.tenant_id = $1 AND i.user_id = ${user}.id)`,
    splitList<SocialProvider>,
  ),
  guest: flag('guest'),
  restrictions: json('restricted_capabilities', parseRestrictions),
  suspension: json('suspension'),
  lastActiveAt: number('last_active_at'),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
})

export const passwords = columnsOf<{ readonly passwordHash: string | null }>('users', {
  passwordHash: text('password_hash'),
})

/** A user with the password's hash. */
export const credentials = users.and(passwords)

/**
 * SQL for the time of a change of a user: `now`, but not before an earlier change. A request that takes long, such as to hash
 * a password, ends after others that began later, and a recovery undoes what is not older than the change of address. A change
 * at which the clock was wrong does not count: all later ones would be as old as it.
 */
export const timeOfChange = (now: string): string =>
  `CASE WHEN updated_at > ${now} AND updated_at - ${clockMarginMs} <= ${now} THEN updated_at ELSE ${now} END`
