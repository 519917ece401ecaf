import { deployment } from '../../core/deployment.ts'
import { foldedName } from '../../core/folded-name.ts'
import type { KeyedAnswer } from '../../core/idempotency.ts'
import type {
  CountedTenant,
  PageRequest,
  PublishedVersion,
  Tenant,
  TenantDirectory,
  TenantSearch,
} from '../../tenants/tenant.ts'
import { columnsOf, computed, type Row } from '../columns.ts'
import type { Executor } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { dayMs, startTotals } from './count-directory.ts'
import { eraseTenantRows, nextDeleted } from './erase.ts'
import { successorOf } from './filters.ts'
import { addAnswer, answerValues } from './idempotency.ts'
import { storeSchema } from './schema-versions.ts'
import { currentSchemas, searchNames, tenantModules, tenants } from './tenants.ts'

const added = tenants.and(tenantModules).and(currentSchemas).and(searchNames)

const add = systemStatement('directory.add', added.insert)
/** With the sign SQLite does not read all tenants in the index of deleted ones, and then sort them. */
const notDeleted = '+deleted_at IS NULL'
const list = systemStatement(
  'directory.list',
  `SELECT ${tenants.columns} FROM tenants WHERE id > $1 AND ${notDeleted} ORDER BY id LIMIT $2`,
  tenants,
)
const counted = columnsOf<{ readonly users: number | null }>('tenants', {
  users: computed(
    (table) =>
      `(SELECT known.users FROM tenant_totals known WHERE known.tenant_id = ${table}.id AND known.counted_at > 0)`,
  ),
})
const countedTenants = tenants.and(counted)
const found = `SELECT ${countedTenants.columns} FROM tenants WHERE ${notDeleted}`
const searchBy = (order: 'newest' | 'oldest') => {
  const inOrder = `ORDER BY id ${order === 'newest' ? 'DESC' : ''} LIMIT`
  return {
    /** $1 and $2 are a range of ids without its end, and $3 the limit. SQLite uses only one bound on each side. */
    id: systemStatement(`directory.${order}By_id`, `${found} AND id >= $1 AND id < $2 ${inOrder} $3`, countedTenants),
    /**
     * $1 and $2 are a range of names without its end, from the id $3 on. Ids are found in the index of names alone: to
     * read and sort every tenant whose name begins with one letter takes ten times as long.
     */
    name: systemStatement(
      `directory.${order}By_search_name`,
      `${found} AND id IN (SELECT named.id FROM tenants named WHERE named.search_name >= $1 AND named.search_name < $2)
        AND id ${order === 'newest' ? '<' : '>'} $3 ${inOrder} $4`,
      countedTenants,
    ),
  }
}
const searches = { newest: searchBy('newest'), oldest: searchBy('oldest') }
const names = systemStatement<{ id: string; name: string; search_name: string | null }>(
  'directory.names',
  'SELECT id, name, search_name FROM tenants WHERE id > $1 ORDER BY id LIMIT $2',
)
const foldName = systemStatement(
  'directory.foldName',
  'UPDATE tenants SET search_name = $3 WHERE id = $1 AND name = $2',
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

/** Sorts after every text that begins like an id or a folded name. */
const last = '\u{10FFFF}'

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
      const { version: profileSchemaVersion } = schema.schema
      const searchName = foldedName(tenant.name)
      await sql.run(add, ...added.values({ ...tenant, modules, profileSchemaVersion, searchName }))
      await storeSchema(sql, tenant.id, schema)
      await sql.run(startTotals, tenant.id, tenant.createdAt, tenant.createdAt + dayMs)
      return true
    })
  }

  list({ limit, cursor }: PageRequest): Promise<Tenant[]> {
    return this.#executor.read(async (sql) => tenants.readAll(await sql.rows(list, cursor ?? '', limit)))
  }

  async search({ order, name, id, limit, cursor }: TenantSearch): Promise<CountedTenant[]> {
    const statements = searches[order]
    const byId = (prefix: string) => {
      const end = prefix + last
      const [from, until] =
        order === 'newest'
          ? [prefix, cursor !== null && cursor < end ? cursor : end]
          : [cursor !== null && cursor >= prefix ? successorOf(cursor) : prefix, end]
      return this.#search(statements.id, from, until, limit)
    }
    if (name === undefined) return byId(id ?? '')
    const first = cursor ?? (order === 'newest' ? last : '')
    const [named, identified] = await Promise.all([
      this.#search(statements.name, name, name + last, first, limit),
      id === undefined ? [] : byId(id),
    ])
    const both = new Map([...named, ...identified].map((tenant) => [tenant.id, tenant]))
    const inOrder = [...both.values()].sort((a, b) => (a.id < b.id === (order === 'oldest') ? -1 : 1))
    return inOrder.slice(0, limit)
  }

  #search(statement: Statement<Row<CountedTenant>>, ...parameters: (string | number)[]): Promise<CountedTenant[]> {
    return this.#executor.read(async (sql) => countedTenants.readAll(await sql.rows(statement, ...parameters)))
  }

  async foldNames(after: string, limit: number): Promise<string | null> {
    const rows = await this.#executor.read(async (sql) => sql.rows(names, after, limit))
    for (const { id, name, search_name } of rows) {
      const folded = foldedName(name)
      if (folded !== search_name) await this.#executor.effect(foldName, id, name, folded)
    }
    return rows.length < limit ? null : rows.at(-1)!.id
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

  erase(tenantId: string, batch: number, from: number): Promise<number | null> {
    return this.#executor.write((sql) => eraseTenantRows(sql, tenantId, batch, from))
  }

  touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.#executor.write(async (sql) => {
      // All processes use the same order, which avoids deadlocks.
      const inOrder = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
      await Promise.all(inOrder.map(([id, at]) => sql.run(touchKey, id, at)))
    })
  }
}
