import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../storage/migrations.ts'

/** What a sound database file says of itself. */
export interface FileState {
  /** The last migration it has been through. */
  readonly schema: string
  /** Ids of the master keys that its signing keys are sealed under: without them no server starts on it. */
  readonly masterKeys: readonly string[]
}

/** A lock of another process is waited for so long. */
const patienceMs = 30_000
const known = new Set(migrations.map(({ id }) => id))

/**
 * Writes a copy of a database file, as it is at one moment whatever is written meanwhile, to a new file that its owner
 * alone may read; durable when it returns.
 */
export function copySqliteFile(path: string, copy: string): void {
  // SQLite would make the file as readable as the umask leaves it; into an empty one it writes.
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
  closeSync(openSync(copy, 'wx', 0o600))
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: patienceMs })
    database.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    throw isNoDatabase(error) ? unreadable(path) : error
  }
  makeDurable(copy)
}

/** Waits until a file, or a folder's list of files, is on the disk. */
export function makeDurable(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a database file from end to end.
 * @throws Error in plain words when it is damaged, none of Tenantry's, or newer than this program
 */
export function requireSoundFile(path: string): FileState {
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: patienceMs })
    const result = Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]
    if (result !== 'ok') throw new Error(`${path} is damaged: ${result}`)
    const table = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").get()
    if (table === undefined) throw new Error(`${path} is no database of Tenantry: it has no schema_migrations.`)
    const broken = database.prepare('PRAGMA foreign_key_check').get()
    if (broken) throw new Error(`${path} is damaged: a row of ${broken['table']} is of a tenant that is not there.`)
    const applied = database
      .prepare('SELECT id FROM schema_migrations ORDER BY id')
      .all()
      .map(({ id }) => String(id))
    const newer = applied.filter((id) => !known.has(id))
    if (newer.length > 0) {
      throw new Error(
        `${path} is newer than this program: it knows ${newer.join(', ')}. Use a version at least as new.`,
      )
    }
    return { schema: applied.at(-1) ?? 'none', masterKeys: masterKeysOf(database) }
  } catch (error) {
    throw isNoDatabase(error) ? unreadable(path) : error
  }
}

function masterKeysOf(database: DatabaseSync): string[] {
  const table = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'signing_keys'").get()
  if (table === undefined) return []
  const ids = `SELECT DISTINCT substr(sealed_private_jwk, 1, instr(sealed_private_jwk, '.') - 1) AS id FROM signing_keys`
  return database
    .prepare(`${ids} ORDER BY id`)
    .all()
    .map(({ id }) => String(id))
}

const unreadable = (path: string) => new Error(`${path} is no SQLite database, or damaged beyond reading.`)

// https://sqlite.org/rescode.html
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Whether SQLite cannot make anything of a file. */
export function isNoDatabase(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0
  return (code & 0xff) === SQLITE_CORRUPT || (code & 0xff) === SQLITE_NOTADB
}
