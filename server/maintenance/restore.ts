import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../storage/sqlite/sqlite-error.ts'
import type { SqlitePlace } from './place.ts'
import { copySqliteFile, type FileState, isNoDatabase, makeDurable, requireSoundFile } from './sqlite-file.ts'

/** A restoration that was made. */
export interface RestoreReport extends FileState {
  readonly database: string
  /** Where the database is that was there before; null when there was none. */
  readonly kept: string | null
}

/**
 * Puts a backup in the place of a database file, and keeps that one beside.
 * @param file absolute path of the backup, which stays as it is
 * @param now names what is kept, epoch milliseconds
 * @throws Error when the backup is unusable, or a server has the database open; nothing has changed then
 */
export function restore({ path }: SqlitePlace, file: string, now: number): RestoreReport {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  if (file === path) throw new Error(`${file} is the database itself.`)
  const state = requireSoundFile(file)
  const draft = `${path}.${process.pid}.unfinished`
  try {
    // Before the database is locked, for this may take a while.
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

/** At every moment there is a whole database at `path`. */
function replace(path: string, draft: string, kept: string): void {
  using _lock = lockAlone(path)
  linkSync(path, kept)
  // Only a damaged database has a log still. It is the old one's: SQLite would take it for the new one's.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(draft, path)
}

/**
 * Locks a database that nobody else has open. Leaving the write-ahead log is allowed to the only connection alone, and a
 * server keeps its own open; what the log holds is in the file then.
 */
function lockAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    // No server runs on what SQLite cannot read.
    if (isNoDatabase(error)) return database
    database.close()
    throw isBusy(error) ? new Error(`${path} is open in another process: stop every server on it first.`) : error
  }
  return database
}

/** `20260115T120000000Z` */
const timestampOf = (now: number): string => new Date(now).toISOString().replace(/[-:.]/g, '')
