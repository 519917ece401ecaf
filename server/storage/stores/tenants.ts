import type { Capability } from '../../../contract/capabilities.ts'
import type {
  ListedVersion,
  PublishedVersion,
  StoredConfiguration,
  Tenant,
  TenantStore,
  VersionState,
} from '../../tenants/tenant.ts'
import { columnsOf, flag, json, number, type Row, text } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { statement } from '../statement.ts'
import { parseList } from './json-columns.ts'

export const tenants = columnsOf<Tenant>('tenants', {
  id: text('id'),
  name: text('name'),
  suspended: flag('suspended'),
  restrictedCapabilities: json('restricted_capabilities', parseList<Capability>),
  revision: number('revision'),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
})
export const tenantModules = columnsOf<Pick<StoredConfiguration, 'modules'>>('tenants', { modules: json('modules') })
export const currentSchemas = columnsOf<{ readonly profileSchemaVersion: string }>('tenants', {
  profileSchemaVersion: text('profile_schema_version'),
})
export const tenantDeletions = columnsOf<{ readonly deletedAt: number | null }>('tenants', {
  deletedAt: number('deleted_at'),
})
const settings = tenants.pick('revision').and(tenantModules)

const schemas = columnsOf<PublishedVersion>('profile_schemas', {
  ordinal: number('ordinal'),
  schema: json('content'),
  publishedAt: number('published_at'),
  publishedBy: text('published_by'),
})
const schemaNames = columnsOf<{ readonly version: string }>('profile_schemas', { version: text('version') })
const schemaStates = columnsOf<VersionState>('profile_schemas', {
  state: text('state'),
  conflicts: json('conflicts'),
})
const listedSchemas = schemaNames.and(schemas.pick('ordinal', 'publishedAt', 'publishedBy')).and(schemaStates)
const schemasWithState = schemas.and(schemaStates)

const one = 'id = $1 AND deleted_at IS NULL'

const get = statement('tenant.get', `SELECT ${tenants.columns} FROM tenants WHERE ${one}`, tenants)
const update = statement(
  'tenant.update',
  `UPDATE tenants SET name = COALESCE($2, name), suspended = COALESCE($3, suspended),
     restricted_capabilities = COALESCE($4, restricted_capabilities), revision = revision + 1, updated_at = $5
   WHERE ${one} RETURNING ${tenants.columns}`,
  tenants,
)
const markDeleted = statement('tenant.markDeleted', `UPDATE tenants SET deleted_at = $2, updated_at = $2 WHERE ${one}`)
const configuration = statement(
  'tenant.configuration',
  `SELECT ${settings.of('tenants')}, ${schemas.of('versions')}
   FROM tenants JOIN profile_schemas versions
     ON versions.tenant_id = tenants.id AND versions.version = tenants.profile_schema_version
   WHERE tenants.id = $1 AND tenants.deleted_at IS NULL`,
  { read: toConfiguration },
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
  `${schemaNames.and(schemas).tenantInsert} ON CONFLICT (tenant_id, version) DO NOTHING`,
)
const findSchema = statement(
  'tenant.findSchema',
  `SELECT ${schemas.columns} FROM profile_schemas WHERE tenant_id = $1 AND version = $2`,
  schemas,
)
const listVersions = statement(
  'tenant.listVersions',
  `SELECT ${listedSchemas.columns} FROM profile_schemas WHERE tenant_id = $1 AND ordinal < $2
   ORDER BY ordinal DESC LIMIT $3`,
  listedSchemas,
)
const findVersion = statement(
  'tenant.findVersion',
  `SELECT ${schemasWithState.columns} FROM profile_schemas WHERE tenant_id = $1 AND version = $2`,
  schemasWithState,
)
const schemasAfter = statement(
  'tenant.schemasAfter',
  `SELECT ${schemas.columns} FROM profile_schemas WHERE tenant_id = $1 AND ordinal > $2 ORDER BY ordinal`,
  schemas,
)
/** Leaves out versions that are being built and those that failed. */
const versionsBefore = statement(
  'tenant.versionsBefore',
  `SELECT ${schemaNames.columns} FROM profile_schemas
   WHERE tenant_id = $1 AND ordinal < $2 AND state IS NULL ORDER BY ordinal DESC LIMIT $3`,
  schemaNames,
)

/** Stores a version unless it is already stored. */
export async function storeSchema(sql: Sql, tenantId: string, version: PublishedVersion): Promise<void> {
  await sql.run(addSchema, tenantId, ...schemaNames.values(version.schema), ...schemas.values(version))
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
      return row && tenants.read(row)
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
    return rows[0] ? tenants.read(rows[0]) : null
  }

  async markDeleted(now: number): Promise<boolean> {
    return (await this.#executor.effect(markDeleted, this.#tenantId, now)).changes === 1
  }

  configuration(): Promise<StoredConfiguration | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(configuration, this.#tenantId)
      return row && toConfiguration(row)
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
      return row && schemas.read(row)
    })
  }

  listVersions({ limit, before }: { limit: number; before: number }): Promise<ListedVersion[]> {
    return this.#executor.read(async (sql) =>
      listedSchemas.readAll(await sql.rows(listVersions, this.#tenantId, before, limit)),
    )
  }

  findVersion(version: string): Promise<(PublishedVersion & VersionState) | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findVersion, this.#tenantId, version)
      return row && schemasWithState.read(row)
    })
  }

  schemasAfter(ordinal: number): Promise<PublishedVersion[]> {
    return this.#executor.read(async (sql) => schemas.readAll(await sql.rows(schemasAfter, this.#tenantId, ordinal)))
  }

  versionsBefore(ordinal: number, limit: number): Promise<string[]> {
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(versionsBefore, this.#tenantId, ordinal, limit)
      return rows.map((row) => schemaNames.read(row).version)
    })
  }
}

function toConfiguration(
  row: Row<Pick<StoredConfiguration, 'revision' | 'modules'> & PublishedVersion>,
): StoredConfiguration {
  const { revision, modules } = settings.read(row)
  return { revision, modules, profileSchema: schemas.read(row, settings.width) }
}
