import type { SocialProvider } from '../../../contract/tenants/tenant-configuration.ts'
import type { Identity, IdentityStore } from '../../accounts/identity.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const identities = columnsOf<Identity>('identities', {
  id: text('id'),
  userId: text('user_id'),
  provider: text('provider'),
  subject: text('subject'),
  email: text('email'),
  createdAt: number('created_at'),
  lastUsedAt: number('last_used_at'),
})

const find = statement(
  'identity.find',
  `SELECT ${identities.columns} FROM identities WHERE tenant_id = $1 AND provider = $2 AND subject = $3`,
  identities,
)
const listOf = statement(
  'identity.listOf',
  `SELECT ${identities.columns} FROM identities WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, id`,
  identities,
)
const listBetween = statement(
  'identity.listBetween',
  `SELECT ${identities.columns} FROM identities WHERE tenant_id = $1 AND user_id >= $2 AND user_id <= $3`,
  identities,
)
const add = statement('identity.add', `${identities.tenantInsert} ON CONFLICT DO NOTHING`)
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
      return row && identities.read(row)
    })
  }

  listOf(userId: string): Promise<Identity[]> {
    return this.#executor.read(async (sql) => identities.readAll(await sql.rows(listOf, this.#tenantId, userId)))
  }

  listBetween(firstUserId: string, lastUserId: string): Promise<Identity[]> {
    return this.#executor.read(async (sql) =>
      identities.readAll(await sql.rows(listBetween, this.#tenantId, firstUserId, lastUserId)),
    )
  }

  async add(identity: Identity): Promise<boolean> {
    return (await this.#executor.effect(add, this.#tenantId, ...identities.values(identity))).changes === 1
  }

  async touch(id: string, email: string | null, now: number): Promise<boolean> {
    return (await this.#executor.effect(touch, this.#tenantId, id, email, now)).changes === 1
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.#executor.effect(remove, this.#tenantId, userId, id)).changes === 1
  }

  async removeAllOf(userId: string): Promise<void> {
    await this.#executor.effect(removeAllOf, this.#tenantId, userId)
  }
}
