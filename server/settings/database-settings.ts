import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'
import { type PostgresEngineName, postgresEngines } from '../storage/postgres/postgres-engines.ts'
import type { SettingsReader } from './settings-reader.ts'

/** Where the data is. */
export type DatabaseSettings =
  | { readonly engine: 'sqlite'; readonly path: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** A file with the password, read anew for each connection; in the URL unless named. */
      readonly passwordFile?: string
      /** What speaks PostgreSQL's protocol there. */
      readonly postgresEngine: PostgresEngineName
      /** Connections of this process at most. */
      readonly connections: number
      /** Whether the database holds tenants apart too. */
      readonly rowLevelSecurity: boolean
      /** Whether the start brings the schema up to date. */
      readonly migrate: boolean
    }

/** Settings that say nothing where the data is in a file. */
const postgresSettings = [
  'TENANTRY_DATABASE_ENGINE',
  'TENANTRY_DATABASE_PASSWORD_FILE',
  'TENANTRY_DATABASE_CONNECTIONS',
  'TENANTRY_ROW_LEVEL_SECURITY',
  'TENANTRY_MIGRATE',
]
const engineNames = Object.keys(postgresEngines) as PostgresEngineName[]

/** Reads `DATABASE_URL` and what belongs to it. */
export function readDatabaseSettings(settings: SettingsReader): DatabaseSettings {
  const url = settings.secret('DATABASE_URL')
  const passwordFile = settings.text('TENANTRY_DATABASE_PASSWORD_FILE')
  const connections = settings.whole('TENANTRY_DATABASE_CONNECTIONS', 1, 1000, 10)
  const postgresEngine = settings.oneOf('TENANTRY_DATABASE_ENGINE', engineNames, 'postgresql')
  const able = postgresEngines[postgresEngine]?.rowLevelSecurity
  const otherwise = able === 'on' ? 'on' : 'off'
  const rowLevelSecurity = settings.oneOf('TENANTRY_ROW_LEVEL_SECURITY', ['on', 'off'], otherwise) === 'on'
  if (rowLevelSecurity && able === 'impossible') {
    settings.problems.push(`TENANTRY_ROW_LEVEL_SECURITY: cannot be on with TENANTRY_DATABASE_ENGINE=${postgresEngine}`)
  }
  const migrate = settings.oneOf('TENANTRY_MIGRATE', ['on', 'off'], 'on') === 'on'
  return settings.attempt(
    'DATABASE_URL',
    () => {
      if (url === undefined || !/^postgres(ql)?:/.test(url)) {
        return { engine: 'sqlite', path: parseSqliteUrl(url) }
      }
      parsePostgresUrl(url, passwordFile)
      const place = { url, ...(passwordFile && { passwordFile }), postgresEngine }
      return { engine: 'postgres', ...place, connections, rowLevelSecurity, migrate }
    },
    { engine: 'sqlite', path: '' },
  )
}

/** Who sets what is for PostgreSQL means not to serve from a file: a DATABASE_URL that is misspelt must not go unnoticed. */
export function judgeDatabase(database: DatabaseSettings, settings: SettingsReader): void {
  // No path stands for an address that is wrong, which was told.
  if (database.engine === 'postgres' || database.path === '') return
  for (const name of postgresSettings.filter((each) => settings.text(each) !== undefined))
    settings.problems.push(`${name}: is for PostgreSQL alone: set DATABASE_URL to postgres://… too, or unset this`)
}

/**
 * The path in `sqlite:<path>`. Throws an Error in plain words that repeats nothing: what is no address by its form may
 * have a password in it all the same.
 */
export function parseSqliteUrl(url = 'sqlite:./data/tenantry.db'): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  if (path !== undefined) return path
  if (/^["']/.test(url)) throw new Error('begins with a quote: write the address without any')
  throw new Error(
    'must be sqlite:<path of the file>, such as sqlite:./data/tenantry.db, or postgres://user:password@host/database',
  )
}
