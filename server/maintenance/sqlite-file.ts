import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createOwnedFile } from '../core/owned-file.ts'
import { createPrivateFolder } from '../core/private-folder.ts'
import { refuseIncompleteCopy } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations.ts'
import { explainedFileError, isNoDatabase } from '../storage/sqlite/database-file-error.ts'
import { isFailedWrite } from '../storage/sqlite/sqlite-error.ts'

/** The state of an intact database file. */
export interface FileState {
  /** The last applied migration. */
  readonly schema: string
  /** Ids of the master keys that encrypt its signing keys; servers cannot start without them. */
  readonly masterKeys: readonly string[]
}

/** How long to wait for a lock of another process. */
const lockTimeoutMs = 30_000
const known = new Set(migrations.map(({ id }) => id))

/**
 * Writes a snapshot of a database file to a new file that only its owner can read. The copy is durable when the function
 * returns.
 * @param like root gives the copy the owner of this file or folder
 */
export function copySqliteFile(path: string, copy: string, like?: string): void {
  // SQLite would create the file with the permissions of the umask, but it writes to an empty file.
  createPrivateFolder(dirname(copy))
  createOwnedFile(copy, like)
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeoutMs })
    // VACUUM reports no extended result code, which tells a full disk from a broken one: without a log, reading creates one.
    database.prepare('SELECT name FROM sqlite_schema').get()
    database.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    // SQLite leaves it when the disk is full.
    rmSync(`${copy}-journal`, { force: true })
    if (isNoDatabase(error)) throw unreadable(path)
    throw explainedFileError(isFailedWrite(error) ? copy : path, error)
  }
  makeDurable(copy)
}

/** Flushes a file or a directory to disk. Windows flushes files that are open for writing only, and no directories. */
export function makeDurable(path: string): void {
  const isWindows = process.platform === 'win32'
  if (isWindows && statSync(path).isDirectory()) return
  const file = openSync(path, isWindows ? 'r+' : 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Checks the integrity of a database file.
 * @param name of the database in errors about its content
 * @throws Error if it is damaged, not a Tenantry database, an incomplete copy, or newer than this program
 */
export function requireSoundFile(path: string, name = path): FileState {
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeoutMs })
    const result = Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]
    if (result !== 'ok') throw new Error(`${name} is damaged: ${result}`)
    const table = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").get()
    if (table === undefined) throw new Error(`${name} is not a Tenantry database: it has no table schema_migrations.`)
    const broken = database.prepare('PRAGMA foreign_key_check').get()
    if (broken)
      throw new Error(`${name} is damaged: a row of ${broken['table']} belongs to a tenant that does not exist.`)
    const applied = database
      .prepare('SELECT id FROM schema_migrations ORDER BY id')
      .all()
      .map(({ id }) => String(id))
    refuseIncompleteCopy(applied, name)
    const newer = applied.filter((id) => !known.has(id))
    if (newer.length > 0) {
      throw new Error(
        `${name} is newer than this program: it has the migrations ${newer.join(', ')}. Use a newer version of Tenantry.`,
      )
    }
    return { schema: applied.at(-1) ?? 'none', masterKeys: masterKeysOf(database) }
  } catch (error) {
    throw isNoDatabase(error) ? unreadable(name) : explainedFileError(path, error)
  }
}

/** The master keys of private keys, without which no server starts and no batch of events is signed. */
function masterKeysOf(database: DatabaseSync): string[] {
  const ids = database
    .prepare("SELECT name FROM sqlite_schema WHERE name IN ('signing_keys', 'checkpoint_keys')")
    .all()
    .flatMap(({ name }) => database.prepare(`SELECT sealed_private_jwk AS sealed FROM ${name}`).all())
    .map(({ sealed }) => String(sealed).split('.', 1)[0]!)
  return [...new Set(ids)].sort()
}

const unreadable = (path: string) => new Error(`${path} is not a SQLite database, or is too damaged to read.`)
