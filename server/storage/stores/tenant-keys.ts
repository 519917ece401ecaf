import type { PageRequest, TenantKey, TenantKeyStore } from '../../tenants/tenant.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

interface KeyRow {
  id: string
  name: string
  kind: TenantKey['kind']
  secret_hash: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

const columns = 'id, name, kind, secret_hash, created_at, expires_at, revoked_at, last_used_at'
/** $3 is now. */
const active = 'tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)'

const add = statement(
  'key.add',
  `INSERT INTO tenant_keys (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const find = statement<KeyRow>('key.find', `SELECT ${columns} FROM tenant_keys WHERE tenant_id = $1 AND id = $2`)
const list = statement<KeyRow>(
  'key.list',
  `SELECT ${columns} FROM tenant_keys WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
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
    await this.#executor.effect(
      add,
      this.#tenantId,
      key.id,
      key.name,
      key.kind,
      key.secretHash,
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
      key.lastUsedAt,
    )
  }

  find(id: string): Promise<TenantKey | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && toKey(row)
    })
  }

  list({ limit, cursor }: PageRequest): Promise<TenantKey[]> {
    return this.#executor.read(async (sql) => (await sql.rows(list, this.#tenantId, cursor ?? '', limit)).map(toKey))
  }

  async revoke(id: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(revoke, this.#tenantId, id, now)).changes === 1
  }

  async expireAt(id: string, at: number, now: number): Promise<boolean> {
    return (await this.#executor.effect(expireAt, this.#tenantId, id, now, at)).changes === 1
  }
}

const toKey = (row: KeyRow): TenantKey => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  secretHash: row.secret_hash,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
})
