import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'
import { type PostgresEngineName, postgresEngines } from '../storage/postgres/postgres-engines.ts'
import type { SettingsReader } from './settings-reader.ts'
import { defaultSqlitePath, sqlitePathOf } from './sqlite-url.ts'

/** The database of the deployment. */
export type DatabaseSettings =
  | { readonly engine: 'sqlite'; readonly path: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** A file with the password, read for each new connection; without it, the password is in the URL. */
      readonly passwordFile?: string
      /** The database system that speaks PostgreSQL's protocol. */
      readonly postgresEngine: PostgresEngineName
      /** Maximum connections of this process. */
      readonly connections: number
      /** Whether row-level security isolates tenants in the database. */
      readonly rowLevelSecurity: boolean
      /** Whether startup migrates the schema. */
      readonly migrate: boolean
    }

/** Settings that apply to PostgreSQL only. */
const postgresSettings = [
  'TENANTRY_DATABASE_ENGINE',
  'TENANTRY_DATABASE_PASSWORD_FILE',
  'TENANTRY_DATABASE_CONNECTIONS',
  'TENANTRY_ROW_LEVEL_SECURITY',
  'TENANTRY_MIGRATE',
]
const engineNames = Object.keys(postgresEngines) as PostgresEngineName[]

/** Reads `DATABASE_URL` and related settings. */
export function readDatabaseSettings(settings: SettingsReader): DatabaseSettings {
  const url = settings.secret('DATABASE_URL')
  const passwordFile = settings.text('TENANTRY_DATABASE_PASSWORD_FILE')
  const connections = settings.whole('TENANTRY_DATABASE_CONNECTIONS', 1, 1000, 10)
  const postgresEngine = settings.oneOf('TENANTRY_DATABASE_ENGINE', engineNames, 'postgresql')
  const able = postgresEngines[postgresEngine]?.rowLevelSecurity
  const otherwise = able === 'on' ? 'on' : 'off'
  const rowLevelSecurity = settings.oneOf('TENANTRY_ROW_LEVEL_SECURITY', ['on', 'off'], otherwise) === 'on'
  if (rowLevelSecurity && able === 'impossible') {
    settings.problems.push(
      `TENANTRY_ROW_LEVEL_SECURITY: "on" is not supported by TENANTRY_DATABASE_ENGINE=${postgresEngine}`,
    )
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

/** PostgreSQL settings beside a SQLite file are an error: `DATABASE_URL` may be misspelt. */
export function judgeDatabase(database: DatabaseSettings, settings: SettingsReader): void {
  // An empty path means that DATABASE_URL is invalid, which is already reported.
  if (database.engine === 'postgres' || database.path === '') return
  for (const name of postgresSettings.filter((each) => settings.text(each) !== undefined))
    settings.problems.push(`${name}: applies to PostgreSQL only; set DATABASE_URL to postgres://…, or unset this`)
}

/**
 * The path in `sqlite:<path>`. The error does not quote the value: even an invalid URL may contain a password.
 */
export function parseSqliteUrl(url = `sqlite:${defaultSqlitePath}`): string {
  const path = sqlitePathOf(url)
  if (path !== undefined) return path
  if (/^["']/.test(url)) throw new Error('must not be quoted')
  throw new Error(
    'must be sqlite:<path of the file>, such as sqlite:./data/tenantry.db, or postgres://user:password@host/database',
  )
}
