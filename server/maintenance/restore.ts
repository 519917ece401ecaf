import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockForServer, OtherServerRunning, realPath } from '../startup/server-lock.ts'
import { isNoDatabase } from '../storage/sqlite/database-file-error.ts'
import { isBusy } from '../storage/sqlite/sqlite-error.ts'
import { type CopyWatch, copyFile } from './copy-file.ts'
import type { SqlitePlace } from './place.ts'
import { type FileState, makeDurable } from './sqlite-file.ts'

/** A completed restore. */
interface RestoreReport extends FileState {
  readonly database: string
  /** The path of the previous database; null if there was none. */
  readonly kept: string | null
  /** The path of the log of a damaged or missing database; null if there was none. */
  readonly keptLog: string | null
}

/**
 * Replaces a database file by a backup and keeps the previous file beside it.
 * @param file absolute path of the backup, which is not changed
 * @param now epoch milliseconds, for the name of the previous file
 * @throws Error if the backup is unusable or a server has the database open; nothing has changed then
 */
export async function restore(
  place: SqlitePlace,
  file: string,
  now: number,
  watch: CopyWatch = {},
): Promise<RestoreReport> {
  if (!existsSync(file)) throw new Error(`File ${file} not found.`)
  if (existsSync(place.path) && realPath(file) === realPath(place.path))
    throw new Error(`${file} is the database itself, not a backup.`)
  // A database that is missing or damaged cannot be locked itself, but a server can still have it open.
  using _lock = lockOutServers(place)
  // Not a link, which may lead to another disk.
  const path = realPath(place.path)
  const draft = `${path}.${process.pid}.unfinished`
  try {
    // In a container, the process of a restore that was killed had the same id.
    rmSync(draft, { force: true })
    // Before locking the database, because copying may take long.
    const wasThere = existsSync(path)
    const state = await copyFile({ path: file, copy: draft, like: wasThere ? path : dirname(path) }, watch)
    const kept = `${path}.before-restore-${timestampOf(now)}`
    const keptLog = wasThere ? replace(path, draft, kept) : put(draft, path, kept)
    makeDurable(dirname(path))
    return { ...state, database: path, kept: wasThere ? kept : null, keptLog }
  } finally {
    rmSync(draft, { force: true })
  }
}

function lockOutServers(place: SqlitePlace) {
  try {
    return lockForServer(place)
  } catch (error) {
    throw error instanceof OtherServerRunning ? openElsewhere(place.path) : error
  }
}

/** Keeps a complete database at `path` at all times. */
function replace(path: string, draft: string, kept: string): string | null {
  using _lock = lockAlone(path)
  linkSync(path, kept)
  return put(draft, path, kept)
}

/**
 * Gives the draft its name. Only a damaged or missing database still has a log, which SQLite would apply to the new one.
 * @returns the new path of the log
 */
function put(draft: string, path: string, kept: string): string | null {
  const hasLog = existsSync(`${path}-wal`)
  if (hasLog) renameSync(`${path}-wal`, `${kept}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(draft, path)
  return hasLog ? `${kept}-wal` : null
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
    throw isBusy(error) ? openElsewhere(path) : error
  }
  return database
}

const openElsewhere = (path: string): Error =>
  new Error(`${path} is open in another process. Stop every server on it first.`)

/** `20260115T120000000Z` */
const timestampOf = (now: number): string => new Date(now).toISOString().replace(/[-:.]/g, '')
