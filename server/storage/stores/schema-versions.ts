import type { ListedVersion, PublishedVersion, VersionState } from '../../tenants/tenant.ts'
import { columnsOf, json, number, type Row, text } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { statement } from '../statement.ts'

type Publication = Omit<PublishedVersion, 'state' | 'indexKeys'>
interface Build {
  readonly state: 'building' | 'failed' | null
  readonly indexKeys: Readonly<Record<string, string>> | null
}

const publications = columnsOf<Publication>('profile_schemas', {
  ordinal: number('ordinal'),
  schema: json('content'),
  publishedAt: number('published_at'),
  publishedBy: text('published_by'),
})
const builds = columnsOf<Build>('profile_schemas', { state: text('state'), indexKeys: json('index_keys') })
const conflicts = columnsOf<Pick<VersionState, 'conflicts'>>('profile_schemas', { conflicts: json('conflicts') })
const names = columnsOf<{ readonly version: string }>('profile_schemas', { version: text('version') })
/** A version as statements select it. */
export type StoredVersion = Publication & Build
export const versions = publications.and(builds)

const withConflicts = versions.and(conflicts)
const listed = publications.and(builds.pick('state')).and(conflicts)

const add = statement(
  'tenant.addSchema',
  `${names.and(publications).and(builds).tenantInsert} ON CONFLICT (tenant_id, version) DO NOTHING`,
)
/** The name of a version that failed is free again. */
const removeFailed = statement(
  'tenant.removeFailedSchema',
  "DELETE FROM profile_schemas WHERE tenant_id = $1 AND version = $2 AND state = 'failed'",
)
/** Versions that `schemasAfter` reads with one statement. */
const versionsAtOnce = 10
/** The ordinal is compared because another attempt may have the name of one that failed. */
const endBuild = statement(
  'tenant.endSchemaBuild',
  `UPDATE profile_schemas SET state = $4, conflicts = $5
   WHERE tenant_id = $1 AND version = $2 AND ordinal = $3 AND state = 'building'`,
)
const find = statement(
  'tenant.findSchema',
  `SELECT ${versions.columns} FROM profile_schemas WHERE tenant_id = $1 AND version = $2`,
  versions,
)
const after = statement(
  'tenant.schemasAfter',
  `SELECT ${versions.columns} FROM profile_schemas WHERE tenant_id = $1 AND ordinal > $2 AND state IS NULL
   ORDER BY ordinal LIMIT $3`,
  versions,
)
const findWithConflicts = statement(
  'tenant.findVersion',
  `SELECT ${withConflicts.columns} FROM profile_schemas WHERE tenant_id = $1 AND version = $2`,
  withConflicts,
)
const list = statement(
  'tenant.listVersions',
  `SELECT ${listed.columns} FROM profile_schemas WHERE tenant_id = $1 AND ordinal < $2 ORDER BY ordinal DESC LIMIT $3`,
  listed,
)
/** Leaves out versions that are being built and those that failed. */
const before = statement(
  'tenant.versionsBefore',
  `SELECT ${names.columns} FROM profile_schemas
   WHERE tenant_id = $1 AND ordinal < $2 AND state IS NULL ORDER BY ordinal DESC LIMIT $3`,
  names,
)
const lastOrdinal = statement<{ ordinal: number }>(
  'tenant.lastOrdinal',
  'SELECT ordinal FROM profile_schemas WHERE tenant_id = $1 ORDER BY ordinal DESC LIMIT 1',
)

/** A version from a row, where its columns begin at `at`. */
export function readVersion(row: Row<StoredVersion>, at = 0): PublishedVersion {
  const { state, ...version } = versions.read(row, at)
  return { ...withoutNoKeys(version), ...(state && { state }) }
}

/** Most versions have no index. */
const withoutNoKeys = <T extends Pick<Build, 'indexKeys'>>({ indexKeys, ...version }: T) => ({
  ...version,
  ...(indexKeys && { indexKeys }),
})

/** Stores a version unless it is already stored. */
export async function storeSchema(sql: Sql, tenantId: string, version: PublishedVersion): Promise<void> {
  const { schema, state = null, indexKeys = null } = version
  await sql.run(removeFailed, tenantId, schema.version)
  const values = [...publications.values(version), ...builds.values({ state, indexKeys })]
  await sql.run(add, tenantId, ...names.values(schema), ...values)
}

/** One tenant's versions of the profile schema in any SQL database. */
export class SqlSchemaVersions {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  findSchema(version: string): Promise<PublishedVersion | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, version)
      return row && readVersion(row)
    })
  }

  async *schemasAfter(ordinal: number): AsyncGenerator<PublishedVersion> {
    for (let last = ordinal; ; ) {
      const rows = await this.#executor.read(async (sql) => sql.rows(after, this.#tenantId, last, versionsAtOnce))
      const versions = rows.map((row) => readVersion(row))
      yield* versions
      if (versions.length < versionsAtOnce) return
      last = versions.at(-1)!.ordinal
    }
  }

  listVersions({ limit, before }: { limit: number; before: number }): Promise<ListedVersion[]> {
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(list, this.#tenantId, before, limit)
      return listed.readAll(rows).map(({ schema: { version, components, migrations }, ...publication }) => ({
        ...publication,
        version,
        fields: components.length,
        migrations: migrations.length,
      }))
    })
  }

  findVersion(version: string): Promise<(PublishedVersion & VersionState) | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findWithConflicts, this.#tenantId, version)
      return row && withoutNoKeys(withConflicts.read(row))
    })
  }

  versionsBefore(ordinal: number, limit: number): Promise<string[]> {
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(before, this.#tenantId, ordinal, limit)
      return rows.map((row) => names.read(row).version)
    })
  }

  lastOrdinal(): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(lastOrdinal, this.#tenantId))?.ordinal ?? 0)
  }

  /** Whether this attempt to build the version was still under way. */
  protected async endVersion(
    sql: Sql,
    { schema, ordinal }: PublishedVersion,
    state: 'failed' | null,
    conflicts: string | null,
  ): Promise<boolean> {
    return (await sql.run(endBuild, this.#tenantId, schema.version, ordinal, state, conflicts)) === 1
  }
}
