import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../storage/sqlite/sqlite-error.ts'
import type { SqlitePlace } from './place.ts'
import { copySqliteFile, type FileState, isNoDatabase, makeDurable, requireSoundFile } from './sqlite-file.ts'

/** A completed restore. */
interface RestoreReport extends FileState {
  readonly database: string
  /** The path of the previous database; null if there was none. */
  readonly kept: string | null
}

/**
 * Replaces a database file by a backup and keeps the previous file beside it.
 * @param file absolute path of the backup, which is not changed
 * @param now epoch milliseconds, for the name of the previous file
 * @throws Error if the backup is unusable or a server has the database open; nothing has changed then
 */
export function restore({ path }: SqlitePlace, file: string, now: number): RestoreReport {
  if (!existsSync(file)) throw new Error(`File ${file} not found.`)
  if (file === path) throw new Error(`${file} is the database itself, not a backup.`)
  const state = requireSoundFile(file)
  const draft = `${path}.${process.pid}.unfinished`
  try {
    // Before locking the database, because copying may take long.
    copySqliteFile(file, draft)
    const kept = existsSync(path) ? `${path}.before-restore-${timestampOf(now)}` : null
    if (kept === null) renameSync(draft, path)
    else replace(path, draft, kept)
    makeDurable(dirname(path))
    return { ...state, database: path, kept }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Keeps a complete database at `path` at all times. */
function replace(path: string, draft: string, kept: string): void {
  using _lock = lockAlone(path)
  linkSync(path, kept)
  // Only a damaged database still has a log. SQLite would apply it to the new database.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(draft, path)
}

/**
 * Locks a database that no other process has open. SQLite allows leaving WAL mode only to the only connection, which also
 * checkpoints the log into the file.
 */
function lockAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    // No server can run on a file that SQLite cannot read.
    if (isNoDatabase(error)) return database
    database.close()
    throw isBusy(error) ? new Error(`${path} is open in another process. Stop every server on it first.`) : error
  }
  return database
}

/** `20260115T120000000Z` */
const timestampOf = (now: number): string => new Date(now).toISOString().replace(/[-:.]/g, '')
