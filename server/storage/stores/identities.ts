import type { SocialProvider } from '../../../contract/tenant-configuration.ts'
import type { Identity, IdentityStore } from '../../accounts/identity.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

interface IdentityRow {
  id: string
  user_id: string
  provider: SocialProvider
  subject: string
  email: string | null
  created_at: number
  last_used_at: number
}

const columns = 'id, user_id, provider, subject, email, created_at, last_used_at'

const find = statement<IdentityRow>(
  'identity.find',
  `SELECT ${columns} FROM identities WHERE tenant_id = $1 AND provider = $2 AND subject = $3`,
)
const listOf = statement<IdentityRow>(
  'identity.listOf',
  `SELECT ${columns} FROM identities WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, id`,
)
const listBetween = statement<IdentityRow>(
  'identity.listBetween',
  `SELECT ${columns} FROM identities WHERE tenant_id = $1 AND user_id >= $2 AND user_id <= $3`,
)
const add = statement(
  'identity.add',
  `INSERT INTO identities (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
)
const touch = statement(
  'identity.touch',
  'UPDATE identities SET email = $3, last_used_at = $4 WHERE tenant_id = $1 AND id = $2',
)
const remove = statement('identity.remove', 'DELETE FROM identities WHERE tenant_id = $1 AND user_id = $2 AND id = $3')
const removeAllOf = statement('identity.removeAllOf', 'DELETE FROM identities WHERE tenant_id = $1 AND user_id = $2')

/** One tenant's identities in any SQL database. */
export class SqlIdentityStore implements IdentityStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  find(provider: SocialProvider, subject: string): Promise<Identity | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, provider, subject)
      return row && toIdentity(row)
    })
  }

  listOf(userId: string): Promise<Identity[]> {
    return this.#executor.read(async (sql) => (await sql.rows(listOf, this.#tenantId, userId)).map(toIdentity))
  }

  listBetween(firstUserId: string, lastUserId: string): Promise<Identity[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(listBetween, this.#tenantId, firstUserId, lastUserId)).map(toIdentity),
    )
  }

  async add({ id, userId, provider, subject, email, createdAt, lastUsedAt }: Identity): Promise<boolean> {
    const values = [id, userId, provider, subject, email, createdAt, lastUsedAt] as const
    return (await this.#executor.effect(add, this.#tenantId, ...values)).changes === 1
  }

  async touch(id: string, email: string | null, now: number): Promise<void> {
    await this.#executor.effect(touch, this.#tenantId, id, email, now)
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.#executor.effect(remove, this.#tenantId, userId, id)).changes === 1
  }

  async removeAllOf(userId: string): Promise<void> {
    await this.#executor.effect(removeAllOf, this.#tenantId, userId)
  }
}

const toIdentity = (row: IdentityRow): Identity => ({
  id: row.id,
  userId: row.user_id,
  provider: row.provider,
  subject: row.subject,
  email: row.email,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})
