import type { UserCapability } from '../../../contract/capabilities.ts'
import type { AddressTaken, User, UserCredential, UserStore } from '../../accounts/user.ts'
import type { PageRequest } from '../../tenants/tenant.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { parseList } from './capability-list.ts'

/** A user's row without the password's hash. */
export interface UserRow {
  id: string
  email: string | null
  email_verified_at: number | null
  phone: string | null
  phone_verified_at: number | null
  has_password: number
  guest: number
  restricted_capabilities: string
  created_at: number
  updated_at: number
}

const columns = `id, email, email_verified_at, phone, phone_verified_at,
  CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password, guest, restricted_capabilities,
  created_at, updated_at`
const one = 'tenant_id = $1 AND id = $2'

const find = statement<UserRow>('user.find', `SELECT ${columns} FROM users WHERE ${one}`)
const findByEmail = statement<UserRow & { password_hash: string | null }>(
  'user.findByEmail',
  `SELECT ${columns}, password_hash FROM users WHERE tenant_id = $1 AND email = $2`,
)
const list = statement<UserRow>(
  'user.list',
  `SELECT ${columns} FROM users WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
)
const listByEmail = statement<UserRow>(
  'user.listByEmail',
  `SELECT ${columns} FROM users WHERE tenant_id = $1 AND email = $4 AND id > $2 ORDER BY id LIMIT $3`,
)
const add = statement(
  'user.add',
  `INSERT INTO users (tenant_id, id, email, email_verified_at, phone, phone_verified_at, password_hash, guest,
     restricted_capabilities, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
)
const holders = statement<{ id: string; email: string | null; phone: string | null }>(
  'user.holders',
  `SELECT id, email, phone FROM users WHERE tenant_id = $1 AND email = $2
   UNION ALL SELECT id, email, phone FROM users WHERE tenant_id = $1 AND phone = $3`,
)
const resetPassword = statement(
  'user.resetPassword',
  `UPDATE users SET password_hash = $3, updated_at = $4,
     email_verified_at = CASE WHEN email IS NULL THEN NULL ELSE COALESCE(email_verified_at, $4) END
   WHERE ${one} AND password_hash IS NOT NULL`,
)
const rehashPassword = statement(
  'user.rehashPassword',
  `UPDATE users SET password_hash = $4 WHERE ${one} AND password_hash = $3`,
)
/** Changes nothing: on an engine with several writers it locks the row until the transaction ends. */
const confirmPassword = statement(
  'user.confirmPassword',
  `UPDATE users SET password_hash = password_hash WHERE ${one} AND password_hash = $3`,
)
const verifyEmail = statement(
  'user.verifyEmail',
  `UPDATE users SET email_verified_at = COALESCE(email_verified_at, $4), updated_at = $4 WHERE ${one} AND email = $3`,
)
const verifyPhone = statement(
  'user.verifyPhone',
  `UPDATE users SET phone_verified_at = COALESCE(phone_verified_at, $4), updated_at = $4 WHERE ${one} AND phone = $3`,
)
const restrict = statement<UserRow>(
  'user.restrict',
  `UPDATE users SET restricted_capabilities = $3, updated_at = $4 WHERE ${one} RETURNING ${columns}`,
)
const remove = statement('user.remove', `DELETE FROM users WHERE ${one}`)

/** One tenant's users in any SQL database. */
export class SqlUserStore implements UserStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  find(id: string): Promise<User | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && toUser(row)
    })
  }

  findByEmail(email: string): Promise<UserCredential | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findByEmail, this.#tenantId, email)
      return row && { user: toUser(row), passwordHash: row.password_hash }
    })
  }

  list({ limit, cursor, email }: PageRequest & { email: string | null }): Promise<User[]> {
    return this.#executor.read(async (sql) => {
      const rows =
        email === null
          ? await sql.rows(list, this.#tenantId, cursor ?? '', limit)
          : await sql.rows(listByEmail, this.#tenantId, cursor ?? '', limit, email)
      return rows.map(toUser)
    })
  }

  add(user: User, passwordHash: string | null): Promise<AddressTaken | null> {
    return this.#executor.write(async (sql) => {
      const added = await sql.run(
        add,
        this.#tenantId,
        user.id,
        user.email,
        user.emailVerifiedAt,
        user.phone,
        user.phoneVerifiedAt,
        passwordHash,
        user.guest ? 1 : 0,
        JSON.stringify(user.restrictedCapabilities),
        user.createdAt,
        user.updatedAt,
      )
      if (added === 1) return null
      const taken = await sql.rows(holders, this.#tenantId, user.email, user.phone)
      if (taken.some((other) => other.email !== null && other.email === user.email)) return 'email'
      if (taken.some((other) => other.phone !== null && other.phone === user.phone)) return 'phone'
      throw new Error(`There is a user ${user.id} already`)
    })
  }

  resetPassword(id: string, passwordHash: string, now: number): Promise<boolean> {
    return this.#executor.write(
      async (sql) => (await sql.run(resetPassword, this.#tenantId, id, passwordHash, now)) === 1,
    )
  }

  rehashPassword(id: string, verifiedHash: string, passwordHash: string): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(rehashPassword, this.#tenantId, id, verifiedHash, passwordHash)
    })
  }

  confirmPassword(id: string, verifiedHash: string): Promise<boolean> {
    return this.#executor.write(async (sql) => (await sql.run(confirmPassword, this.#tenantId, id, verifiedHash)) === 1)
  }

  markVerified(id: string, address: { email: string } | { phone: string }, now: number): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      const changed =
        'email' in address
          ? await sql.run(verifyEmail, this.#tenantId, id, address.email, now)
          : await sql.run(verifyPhone, this.#tenantId, id, address.phone, now)
      return changed === 1
    })
  }

  restrict(id: string, capabilities: readonly UserCapability[], now: number): Promise<User | null> {
    return this.#executor.write(async (sql) => {
      const row = await sql.row(restrict, this.#tenantId, id, JSON.stringify(capabilities), now)
      return row && toUser(row)
    })
  }

  remove(id: string): Promise<boolean> {
    return this.#executor.write(async (sql) => (await sql.run(remove, this.#tenantId, id)) === 1)
  }
}

/** The user of a row. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  emailVerifiedAt: row.email_verified_at,
  phone: row.phone,
  phoneVerifiedAt: row.phone_verified_at,
  hasPassword: row.has_password === 1,
  guest: row.guest === 1,
  restrictedCapabilities: parseList(row.restricted_capabilities),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
