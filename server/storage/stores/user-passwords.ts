import { statement } from '../statement.ts'
import { timeOfChange, users } from './user-columns.ts'

const one = 'tenant_id = $1 AND id = $2'

export const resetPassword = statement(
  'user.resetPassword',
  `UPDATE users SET password_hash = $3, password_changed_at = ${timeOfChange('$4')}, updated_at = ${timeOfChange('$4')},
     email_verified_at = CASE WHEN email IS NULL THEN NULL ELSE COALESCE(email_verified_at, ${timeOfChange('$4')}) END
   WHERE ${one} AND password_hash IS NOT NULL`,
)
export const setPassword = statement(
  'user.setPassword',
  `UPDATE users SET password_hash = $4, password_changed_at = ${timeOfChange('$5')}, guest = 0,
     updated_at = ${timeOfChange('$5')}
   WHERE ${one} AND ($3 = '' OR password_hash = $3)`,
)
export const rehashPassword = statement(
  'user.rehashPassword',
  `UPDATE users SET password_hash = $4 WHERE ${one} AND password_hash = $3`,
)
/** Locks the row and changes nothing. */
export const confirmPassword = statement(
  'user.confirmPassword',
  `UPDATE users SET password_hash = password_hash WHERE ${one} AND password_hash = $3 RETURNING ${users.columns}`,
  users,
)
export const removePassword = statement(
  'user.removePassword',
  `UPDATE users SET password_hash = NULL, updated_at = ${timeOfChange('$3')} WHERE ${one}`,
)
