import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseSettings, readDatabaseSettings } from '../settings/database-settings.ts'
import { type Environ, SettingsReader } from '../settings/settings-reader.ts'
import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'

/** A database file, and a database on a PostgreSQL server. */
export type SqlitePlace = Extract<DatabaseSettings, { engine: 'sqlite' }>
export type PostgresPlace = Extract<DatabaseSettings, { engine: 'postgres' }>

/** What a place is read from. */
export interface PlaceSource {
  readonly env: Environ
  /** Relative paths start here. */
  readonly folder: string
}

/** An address of a database that was typed, and the option it was typed with. */
export interface TypedPlace {
  readonly option: string
  readonly url: string | undefined
}

/** What belongs to the environment's database, and to none that is typed. */
const unset = { DATABASE_URL_FILE: undefined, TENANTRY_DATABASE_PASSWORD_FILE: undefined }

/**
 * Where a database is: as typed, else as the server reads it from `DATABASE_URL`.
 * @throws Error in plain words that repeats no password
 */
export function readPlace({ env, folder }: PlaceSource, typed?: TypedPlace): DatabaseSettings {
  const isTyped = typed?.url !== undefined
  const settings = new SettingsReader(isTyped ? { ...env, ...unset, DATABASE_URL: typed.url } : env, [])
  const place = readDatabaseSettings(settings)
  if (settings.problems.length > 0) {
    const name = isTyped ? typed.option : 'DATABASE_URL'
    throw new Error(settings.problems.map((problem) => problem.replace(/^DATABASE_URL:/, `${name}:`)).join('\n'))
  }
  return place.engine === 'sqlite' ? { ...place, path: resolve(folder, place.path) } : place
}

/** A place in words, without the password. */
export function describePlace(place: DatabaseSettings): string {
  if (place.engine === 'sqlite') return `sqlite:${place.path}`
  const { hosts, user, database } = parsePostgresUrl(place.url)
  return `postgres://${user}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`
}

/** Whether there may be a database: a file that is not there is none. */
export const isThere = (place: DatabaseSettings): boolean => place.engine === 'postgres' || existsSync(place.path)

/** @throws Error when the place is a file that is not there */
export function requireExisting(place: DatabaseSettings): void {
  if (place.engine === 'postgres' || isThere(place)) return
  throw new Error(`There is no database ${place.path}: name it with --database, --from or DATABASE_URL.`)
}
