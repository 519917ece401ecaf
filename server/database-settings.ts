import type { SettingsReader } from './settings-reader.ts'
import { parsePostgresUrl } from './storage/postgres/postgres-url.ts'

/** Where the data is. */
export type DatabaseSettings =
  | { readonly engine: 'sqlite'; readonly path: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** Connections of this process at most. */
      readonly connections: number
      /** Whether the database holds tenants apart too. */
      readonly rowLevelSecurity: boolean
      /** Whether the start brings the schema up to date. */
      readonly migrate: boolean
    }

/** Reads `DATABASE_URL` and what belongs to it. */
export function readDatabaseSettings(settings: SettingsReader): DatabaseSettings {
  const url = settings.secret('DATABASE_URL')
  const connections = settings.whole('TENANTRY_DATABASE_CONNECTIONS', 1, 1000, 10)
  const rowLevelSecurity = settings.oneOf('TENANTRY_ROW_LEVEL_SECURITY', ['on', 'off'], 'on') === 'on'
  const migrate = settings.oneOf('TENANTRY_MIGRATE', ['on', 'off'], 'on') === 'on'
  return settings.attempt(
    'DATABASE_URL',
    () => {
      if (url === undefined || !/^postgres(ql)?:/.test(url)) return { engine: 'sqlite', path: parseSqliteUrl(url) }
      parsePostgresUrl(url)
      return { engine: 'postgres', url, connections, rowLevelSecurity, migrate }
    },
    { engine: 'sqlite', path: '' },
  )
}

/** The path in `sqlite:<path>`. Throws an Error in plain words. */
export function parseSqliteUrl(url = 'sqlite:./data/tenantry.db'): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  if (path !== undefined) return path
  const form =
    'must be sqlite:<path of the file>, such as sqlite:./data/tenantry.db, or postgres://user:password@host/database'
  throw new Error(/^[a-z]*:/.test(url) && url.includes('@') ? form : `is "${url}", but ${form}`)
}
