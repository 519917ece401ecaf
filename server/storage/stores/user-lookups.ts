import { statement } from '../statement.ts'
import { credentials, users } from './user-columns.ts'

const one = 'tenant_id = $1 AND id = $2'

export const find = statement('user.find', `SELECT ${users.columns} FROM users WHERE ${one}`, users)
export const findCredential = statement(
  'user.findCredential',
  `SELECT ${credentials.columns} FROM users WHERE ${one}`,
  credentials,
)
export const findByPhone = statement(
  'user.findByPhone',
  `SELECT ${users.columns} FROM users WHERE tenant_id = $1 AND phone = $2`,
  users,
)
export const listCredentials = statement(
  'user.listCredentials',
  `SELECT ${credentials.columns} FROM users WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  credentials,
)
export const findByEmail = statement(
  'user.findByEmail',
  `SELECT ${credentials.columns} FROM users WHERE tenant_id = $1 AND email = $2`,
  credentials,
)
/**
 * Without such a user it reads the tenant's first one instead, because reading a row takes longer than finding none.
 */
export const findByEmailOrFirst = statement(
  'user.findByEmailOrFirst',
  `SELECT ${credentials.columns} FROM users WHERE tenant_id = $1 AND id = COALESCE(
     (SELECT e.id FROM users e WHERE e.tenant_id = $1 AND e.email = $2),
     (SELECT f.id FROM users f WHERE f.tenant_id = $1 ORDER BY f.id LIMIT 1))`,
  credentials,
)
