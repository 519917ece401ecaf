import type { Capability } from '../../../contract/tenants/capabilities.ts'
import { foldedName } from '../../core/folded-name.ts'
import type {
  PublishedVersion,
  StoredConfiguration,
  Tenant,
  TenantStore,
  VersionConflict,
} from '../../tenants/tenant.ts'
import { columnsOf, flag, json, number, type Row, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { parseList } from './json-columns.ts'
import { readVersion, SqlSchemaVersions, type StoredVersion, storeSchema, versions } from './schema-versions.ts'

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
/** Null of a tenant that an earlier version stored. */
export const searchNames = columnsOf<{ readonly searchName: string | null }>('tenants', {
  searchName: text('search_name'),
})
export const tenantDeletions = columnsOf<{ readonly deletedAt: number | null }>('tenants', {
  deletedAt: number('deleted_at'),
})
const settings = tenants.pick('revision').and(tenantModules)

const one = 'id = $1 AND deleted_at IS NULL'

const get = statement('tenant.get', `SELECT ${tenants.columns} FROM tenants WHERE ${one}`, tenants)
const update = statement(
  'tenant.update',
  `UPDATE tenants SET name = COALESCE($2, name), search_name = COALESCE($6, search_name),
     suspended = COALESCE($3, suspended), restricted_capabilities = COALESCE($4, restricted_capabilities),
     revision = revision + 1, updated_at = $5
   WHERE ${one} RETURNING ${tenants.columns}`,
  tenants,
)
const configuration = statement(
  'tenant.configuration',
  `SELECT ${settings.of('tenants')}, ${versions.of('versions')}, ${versions.of('building')}
   FROM tenants JOIN profile_schemas versions
     ON versions.tenant_id = tenants.id AND versions.version = tenants.profile_schema_version
   LEFT JOIN profile_schemas building
     ON building.tenant_id = tenants.id AND building.version = tenants.building_version
   WHERE tenants.id = $1 AND tenants.deleted_at IS NULL`,
  { read: toConfiguration },
)
const replaceModules = statement(
  'tenant.replaceModules',
  `UPDATE tenants SET modules = $2, revision = revision + 1, updated_at = $4 WHERE ${one} AND revision = $3`,
)
const notBuilding = `${one} AND revision = $3 AND building_version IS NULL`
const publish = statement(
  'tenant.publishSchema',
  `UPDATE tenants SET profile_schema_version = $2, revision = revision + 1, updated_at = $4 WHERE ${notBuilding}`,
)
const startBuild = statement(
  'tenant.startBuild',
  `UPDATE tenants SET building_version = $2, revision = revision + 1, updated_at = $4 WHERE ${notBuilding}`,
)
const finishBuild = statement(
  'tenant.finishBuild',
  `UPDATE tenants SET profile_schema_version = building_version, building_version = NULL, revision = revision + 1,
     updated_at = $3
   WHERE ${one} AND building_version = $2`,
)
const endBuild = statement(
  'tenant.endBuild',
  `UPDATE tenants SET building_version = NULL, revision = revision + 1, updated_at = $3
   WHERE ${one} AND building_version = $2`,
)
/** One tenant's own row, configuration and profile schemas in any SQL database. */
export class SqlTenantStore extends SqlSchemaVersions implements TenantStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    super(executor, tenantId)
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
    const searchName = name === null ? null : foldedName(name)
    const capabilities = restrictedCapabilities === undefined ? null : JSON.stringify(restrictedCapabilities)
    const flag = suspended === undefined ? null : suspended ? 1 : 0
    const values = [name, flag, capabilities, now, searchName] as const
    const { rows } = await this.#executor.effect(update, this.#tenantId, ...values)
    return rows[0] ? tenants.read(rows[0]) : null
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
    return this.#publish(publish, version, expectedRevision, now)
  }

  startBuild(version: PublishedVersion, expectedRevision: number, now: number): Promise<boolean> {
    return this.#publish(startBuild, { ...version, state: 'building' }, expectedRevision, now)
  }

  finishBuild(building: PublishedVersion, now: number): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      if (!(await this.endVersion(sql, building, null, null))) return false
      return (await sql.run(finishBuild, this.#tenantId, building.schema.version, now)) === 1
    })
  }

  failBuild(building: PublishedVersion, conflicts: readonly VersionConflict[], now: number): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      if (!(await this.endVersion(sql, building, 'failed', JSON.stringify(conflicts)))) return false
      return (await sql.run(endBuild, this.#tenantId, building.schema.version, now)) === 1
    })
  }

  /** Where writes are serial, a transaction that reads the revision has locked it. */
  async lockRevision(): Promise<number | null> {
    return (await this.get())?.revision ?? null
  }

  #publish(
    statement: typeof publish,
    version: PublishedVersion,
    expectedRevision: number,
    now: number,
  ): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      const changed = await sql.run(statement, this.#tenantId, version.schema.version, expectedRevision, now)
      if (changed === 0) return false
      await storeSchema(sql, this.#tenantId, version)
      return true
    })
  }
}

function toConfiguration(
  row: Row<Pick<StoredConfiguration, 'revision' | 'modules'> & StoredVersion>,
): StoredConfiguration {
  const { revision, modules } = settings.read(row)
  const building = settings.width + versions.width
  return {
    revision,
    modules,
    profileSchema: readVersion(row, settings.width),
    building: row[building] === null ? null : readVersion(row, building),
  }
}
