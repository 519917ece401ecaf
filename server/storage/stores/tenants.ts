import type { Capability } from '../../../contract/capabilities.ts'
import type { PublishedVersion, StoredConfiguration, Tenant, TenantStore } from '../../tenants/tenant.ts'
import type { Executor, Sql } from '../database.ts'
import { statement } from '../statement.ts'
import { parseList } from './json-columns.ts'

/** A tenant's row without its modules. */
export interface TenantRow {
  id: string
  name: string
  suspended: number
  restricted_capabilities: string
  revision: number
  created_at: number
  updated_at: number
}

interface SchemaRow {
  ordinal: number
  content: string
  published_at: number
}

/** The columns of `TenantRow`. */
export const tenantColumns = 'id, name, suspended, restricted_capabilities, revision, created_at, updated_at'
const one = 'id = $1 AND deleted_at IS NULL'

const get = statement<TenantRow>('tenant.get', `SELECT ${tenantColumns} FROM tenants WHERE ${one}`)
const update = statement<TenantRow>(
  'tenant.update',
  `UPDATE tenants SET name = COALESCE($2, name), suspended = COALESCE($3, suspended),
     restricted_capabilities = COALESCE($4, restricted_capabilities), revision = revision + 1, updated_at = $5
   WHERE ${one} RETURNING ${tenantColumns}`,
)
const markDeleted = statement('tenant.markDeleted', `UPDATE tenants SET deleted_at = $2, updated_at = $2 WHERE ${one}`)
const configuration = statement<SchemaRow & { revision: number; modules: string | null }>(
  'tenant.configuration',
  `SELECT tenants.revision, tenants.modules, versions.ordinal, versions.content, versions.published_at
   FROM tenants JOIN profile_schemas versions
     ON versions.tenant_id = tenants.id AND versions.version = tenants.profile_schema_version
   WHERE tenants.id = $1 AND tenants.deleted_at IS NULL`,
)
const replaceModules = statement(
  'tenant.replaceModules',
  `UPDATE tenants SET modules = $2, revision = revision + 1, updated_at = $4 WHERE ${one} AND revision = $3`,
)
const publish = statement(
  'tenant.publishSchema',
  `UPDATE tenants SET profile_schema_version = $2, revision = revision + 1, updated_at = $4
   WHERE ${one} AND revision = $3`,
)
const addSchema = statement(
  'tenant.addSchema',
  `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, version) DO NOTHING`,
)
const findSchema = statement<SchemaRow>(
  'tenant.findSchema',
  'SELECT ordinal, content, published_at FROM profile_schemas WHERE tenant_id = $1 AND version = $2',
)
const schemasAfter = statement<SchemaRow>(
  'tenant.schemasAfter',
  `SELECT ordinal, content, published_at FROM profile_schemas WHERE tenant_id = $1 AND ordinal > $2 ORDER BY ordinal`,
)

/** Stores a version that is new; one that is known stays as it is. */
export async function storeSchema(sql: Sql, tenantId: string, version: PublishedVersion): Promise<void> {
  const content = JSON.stringify(version.schema)
  await sql.run(addSchema, tenantId, version.schema.version, version.ordinal, content, version.publishedAt)
}

/** One tenant's own row, configuration and profile schemas in any SQL database. */
export class SqlTenantStore implements TenantStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  get(): Promise<Tenant | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(get, this.#tenantId)
      return row && toTenant(row)
    })
  }

  async update(
    changes: Partial<Pick<Tenant, 'name' | 'suspended' | 'restrictedCapabilities'>>,
    now: number,
  ): Promise<Tenant | null> {
    const { name = null, suspended, restrictedCapabilities } = changes
    const capabilities = restrictedCapabilities === undefined ? null : JSON.stringify(restrictedCapabilities)
    const flag = suspended === undefined ? null : suspended ? 1 : 0
    const { rows } = await this.#executor.effect(update, this.#tenantId, name, flag, capabilities, now)
    return rows[0] ? toTenant(rows[0]) : null
  }

  async markDeleted(now: number): Promise<boolean> {
    return (await this.#executor.effect(markDeleted, this.#tenantId, now)).changes === 1
  }

  configuration(): Promise<StoredConfiguration | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(configuration, this.#tenantId)
      if (!row) return null
      const modules = row.modules === null ? null : JSON.parse(row.modules)
      return { revision: row.revision, modules, profileSchema: toVersion(row) }
    })
  }

  async replaceModules(
    modules: Readonly<Record<string, unknown>>,
    expectedRevision: number,
    now: number,
  ): Promise<boolean> {
    const values = [JSON.stringify(modules), expectedRevision, now] as const
    return (await this.#executor.effect(replaceModules, this.#tenantId, ...values)).changes === 1
  }

  publishSchema(version: PublishedVersion, expectedRevision: number, now: number): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      const changed = await sql.run(publish, this.#tenantId, version.schema.version, expectedRevision, now)
      if (changed === 0) return false
      await storeSchema(sql, this.#tenantId, version)
      return true
    })
  }

  findSchema(version: string): Promise<PublishedVersion | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findSchema, this.#tenantId, version)
      return row && toVersion(row)
    })
  }

  schemasAfter(ordinal: number): Promise<PublishedVersion[]> {
    return this.#executor.read(async (sql) => (await sql.rows(schemasAfter, this.#tenantId, ordinal)).map(toVersion))
  }
}

/** The tenant of a row. */
export const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  name: row.name,
  suspended: row.suspended === 1,
  restrictedCapabilities: parseList<Capability>(row.restricted_capabilities),
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toVersion = (row: SchemaRow): PublishedVersion => ({
  ordinal: row.ordinal,
  schema: JSON.parse(row.content),
  publishedAt: row.published_at,
})
