import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseSettings, readDatabaseSettings } from '../settings/database-settings.ts'
import { type Environ, SettingsReader } from '../settings/settings-reader.ts'
import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'
import { explainingFileErrors } from '../storage/sqlite/database-file-error.ts'

/** A database file, or a database on a PostgreSQL server. */
export type SqlitePlace = Extract<DatabaseSettings, { engine: 'sqlite' }>
export type PostgresPlace = Extract<DatabaseSettings, { engine: 'postgres' }>

/** The environment and folder of a command. */
export interface PlaceSource {
  readonly env: Environ
  /** The base of relative paths. */
  readonly folder: string
}

/** A database URL from an option, with the name of the option. */
interface TypedPlace {
  readonly option: string
  readonly url: string | undefined
}

/** Settings of the environment's database that do not apply to a URL from an option. */
const unset = { DATABASE_URL_FILE: undefined, TENANTRY_DATABASE_PASSWORD_FILE: undefined }

/**
 * The database of an option, or otherwise of `DATABASE_URL`, as the server reads it.
 * @throws Error that does not contain the password
 */
export function readPlace({ env, folder }: PlaceSource, typed?: TypedPlace): DatabaseSettings {
  // `--to "$TARGET"` with an unset variable must not select the default database.
  if (typed?.url?.trim() === '') throw new Error(`${typed.option} is empty; specify sqlite:<path> or postgres://…`)
  const isTyped = typed?.url !== undefined
  const settings = new SettingsReader(isTyped ? { ...env, ...unset, DATABASE_URL: typed.url } : env, [])
  const place = readDatabaseSettings(settings)
  if (settings.problems.length > 0) {
    const name = isTyped ? typed.option : 'DATABASE_URL'
    throw new Error(settings.problems.map((problem) => problem.replace(/^DATABASE_URL:/, `${name}:`)).join('\n'))
  }
  return place.engine === 'sqlite' ? { ...place, path: resolve(folder, place.path) } : place
}

/** The URL of a database without the password. */
export function describePlace(place: DatabaseSettings): string {
  if (place.engine === 'sqlite') return `sqlite:${place.path}`
  const { hosts, user, database } = parsePostgresUrl(place.url)
  return `postgres://${user}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`
}

/** Whether the database can exist; false only for a missing file, not for one that this process may not see. */
export const isThere = (place: DatabaseSettings): boolean =>
  place.engine === 'postgres' ||
  explainingFileErrors(place.path, () => statSync(place.path, { throwIfNoEntry: false }) !== undefined)

/** @throws Error if the database file is missing */
export function requireExisting(place: DatabaseSettings): void {
  if (place.engine === 'postgres' || isThere(place)) return
  throw new Error(`Database ${place.path} not found. Specify it with --database, --from or DATABASE_URL.`)
}
