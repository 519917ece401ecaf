import type { SocialProvider } from '../../../contract/tenant-configuration.ts'
import type { User } from '../../accounts/user.ts'
import { parseRestrictions, splitList } from './json-columns.ts'

/** A user's row without the password's hash. */
export interface UserRow {
  id: string
  email: string | null
  email_verified_at: number | null
  phone: string | null
  phone_verified_at: number | null
  has_password: number
  providers: string | null
  guest: number
  restricted_capabilities: string
  suspension: string | null
  last_active_at: number
  created_at: number
  updated_at: number
}

/**
 * Providers the user of the row `user` has identities at, joined by commas; read from an index alone. $1 is the tenant:
 * said again in a query within a query, as Citus finds the machine of each only by what it says itself.
 */
export const providersOf = (user: string): string =>
  `(SELECT string_agg(i.provider, ',') FROM identities i WHERE i.tenant_id = $1 AND i.user_id = ${user}.id)`

/** What makes a `UserRow`, of a statement on the table by its own name; $1 is the tenant. */
export const userColumns = `id, email, email_verified_at, phone, phone_verified_at,
  CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password, ${providersOf('users')} AS providers, guest,
  restricted_capabilities, suspension, last_active_at, created_at, updated_at`

/** The user of a row. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  emailVerifiedAt: row.email_verified_at,
  phone: row.phone,
  phoneVerifiedAt: row.phone_verified_at,
  hasPassword: row.has_password === 1,
  providers: splitList<SocialProvider>(row.providers),
  guest: row.guest === 1,
  restrictions: parseRestrictions(row.restricted_capabilities),
  suspension: row.suspension === null ? null : JSON.parse(row.suspension),
  lastActiveAt: row.last_active_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Its own columns in the order in which `user.add` binds them, the password's hash aside. */
export const userValues = (user: User) =>
  [
    user.id,
    user.email,
    user.emailVerifiedAt,
    user.phone,
    user.phoneVerifiedAt,
    user.guest ? 1 : 0,
    JSON.stringify(user.restrictions),
    user.suspension && JSON.stringify(user.suspension),
    user.lastActiveAt,
    user.createdAt,
    user.updatedAt,
  ] as const
