import type { PageRequest, TenantKey, TenantKeyStore } from '../../tenants/tenant.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

export const tenantKeys = columnsOf<TenantKey>('tenant_keys', {
  id: text('id'),
  name: text('name'),
  kind: text('kind'),
  secretHash: text('secret_hash'),
  createdAt: number('created_at'),
  expiresAt: number('expires_at'),
  revokedAt: number('revoked_at'),
  lastUsedAt: number('last_used_at'),
})

/** $3 is now. */
const active = 'tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)'

const add = statement('key.add', tenantKeys.tenantInsert)
const find = statement(
  'key.find',
  `SELECT ${tenantKeys.columns} FROM tenant_keys WHERE tenant_id = $1 AND id = $2`,
  tenantKeys,
)
const list = statement(
  'key.list',
  `SELECT ${tenantKeys.columns} FROM tenant_keys WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  tenantKeys,
)
const revoke = statement('key.revoke', `UPDATE tenant_keys SET revoked_at = $3 WHERE ${active}`)
const expireAt = statement(
  'key.expireAt',
  `UPDATE tenant_keys SET expires_at = CASE WHEN expires_at < $4 THEN expires_at ELSE $4 END WHERE ${active}`,
)

/** One tenant's keys in any SQL database. */
export class SqlTenantKeyStore implements TenantKeyStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async add(key: TenantKey): Promise<void> {
    await this.#executor.effect(add, this.#tenantId, ...tenantKeys.values(key))
  }

  find(id: string): Promise<TenantKey | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && tenantKeys.read(row)
    })
  }

  list({ limit, cursor }: PageRequest): Promise<TenantKey[]> {
    return this.#executor.read(async (sql) =>
      tenantKeys.readAll(await sql.rows(list, this.#tenantId, cursor ?? '', limit)),
    )
  }

  async revoke(id: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(revoke, this.#tenantId, id, now)).changes === 1
  }

  async expireAt(id: string, at: number, now: number): Promise<boolean> {
    return (await this.#executor.effect(expireAt, this.#tenantId, id, now, at)).changes === 1
  }
}
