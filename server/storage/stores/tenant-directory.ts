import { deployment, type KeyedAnswer } from '../../core/idempotency.ts'
import type { PageRequest, PublishedVersion, Tenant, TenantDirectory } from '../../tenants/tenant.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'
import { eraseTenantRows, nextDeleted } from './erase.ts'
import { addAnswer, answerValues } from './idempotency.ts'
import { storeSchema } from './schema-versions.ts'
import { currentSchemas, tenantModules, tenants } from './tenants.ts'

const added = tenants.and(tenantModules).and(currentSchemas)

const add = systemStatement('directory.add', added.insert)
const list = systemStatement(
  'directory.list',
  `SELECT ${tenants.columns} FROM tenants WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2`,
  tenants,
)
const count = systemStatement<{ count: number }>(
  'directory.count',
  'SELECT COUNT(*) AS count FROM tenants WHERE deleted_at IS NULL',
)
const markDeleted = systemStatement(
  'directory.markDeleted',
  'UPDATE tenants SET deleted_at = $2, updated_at = $2 WHERE id = $1 AND deleted_at IS NULL',
)
const touchKey = systemStatement(
  'directory.touchKey',
  'UPDATE tenant_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)',
)

/** All tenants in any SQL database. */
export class SqlTenantDirectory implements TenantDirectory {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  add(
    tenant: Tenant,
    modules: Readonly<Record<string, unknown>>,
    schema: PublishedVersion,
    answer?: KeyedAnswer,
  ): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      if (answer !== undefined) {
        const kept = await sql.run(addAnswer, deployment, ...answerValues(answer, tenant.createdAt))
        if (kept === 0) return false
      }
      await sql.run(add, ...added.values({ ...tenant, modules, profileSchemaVersion: schema.schema.version }))
      await storeSchema(sql, tenant.id, schema)
      return true
    })
  }

  list({ limit, cursor }: PageRequest): Promise<Tenant[]> {
    return this.#executor.read(async (sql) => tenants.readAll(await sql.rows(list, cursor ?? '', limit)))
  }

  count(): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(count))!.count)
  }

  async markDeleted(tenantId: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(markDeleted, tenantId, now)).changes === 1
  }

  nextDeleted(deletedUntil: number, skip: number): Promise<string | null> {
    return this.#executor.read(async (sql) => (await sql.rows(nextDeleted, deletedUntil, skip + 1))[skip]?.id ?? null)
  }

  erase(tenantId: string, batch: number): Promise<boolean> {
    return this.#executor.write((sql) => eraseTenantRows(sql, tenantId, batch))
  }

  touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.#executor.write(async (sql) => {
      // All processes use the same order, which avoids deadlocks.
      const inOrder = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
      await Promise.all(inOrder.map(([id, at]) => sql.run(touchKey, id, at)))
    })
  }
}
