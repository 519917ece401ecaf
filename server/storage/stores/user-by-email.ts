import { statement } from '../statement.ts'
import { type UserRow, userColumns } from './user-rows.ts'

/** A user's row with the password's hash. */
export type CredentialRow = UserRow & { password_hash: string | null }

export const findByEmail = statement<CredentialRow>(
  'user.findByEmail',
  `SELECT ${userColumns}, password_hash FROM users WHERE tenant_id = $1 AND email = $2`,
)

/** Without such a user it reads the tenant's first one instead: reading a row takes longer than finding none. */
export const findByEmailOrFirst = statement<CredentialRow>(
  'user.findByEmailOrFirst',
  `SELECT ${userColumns}, password_hash FROM users WHERE tenant_id = $1 AND id = COALESCE(
     (SELECT e.id FROM users e WHERE e.tenant_id = $1 AND e.email = $2),
     (SELECT f.id FROM users f WHERE f.tenant_id = $1 ORDER BY f.id LIMIT 1))`,
)
