import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { signingKeyContext } from '../accounts/sessions/load-signing-keys.ts'
import { realPath } from '../core/real-path.ts'
import { createKeyring, type Keyring } from '../secrets/keyring.ts'
import { openPrivateJwk } from '../secrets/private-jwk.ts'
import { lockForServer, OtherServerRunning } from '../startup/server-lock.ts'
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

interface RestoreOptions extends Pick<CopyWatch, 'untilInterrupted'> {
  /** Those of the servers; null if this process does not have them. */
  readonly masterKeys: string | null
  /** Epoch milliseconds, for the name of the previous file. */
  readonly now: number
}

/**
 * Replaces a database file by a backup and keeps the previous file beside it.
 * @param file absolute path of the backup, which is not changed
 * @throws Error if the backup or a master key is unusable or a server has the database open; nothing has changed then
 */
export async function restore(
  place: SqlitePlace,
  file: string,
  { masterKeys, now, ...watch }: RestoreOptions,
): Promise<RestoreReport> {
  const keyring = masterKeys === null ? null : createKeyring(masterKeys)
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
    if (keyring !== null && state.masterKeys.length > 0) requireOpening(draft, keyring)
    const kept = `${path}.before-restore-${timestampOf(now)}`
    const keptLog = wasThere ? replace(path, draft, kept) : put(draft, path, kept)
    makeDurable(dirname(path))
    return { ...state, database: path, kept: wasThere ? kept : null, keptLog }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Rejects a master key with the id of the backup's, but of another deployment: no server would start. */
function requireOpening(path: string, keyring: Keyring): void {
  using database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT kid, sealed_private_jwk AS sealed FROM signing_keys').all()
  const keys = rows.map((row) => ({ kid: String(row['kid']), sealed: String(row['sealed']) }))
  for (const id of keyring.keyIds) {
    const own = keys.filter(({ sealed }) => sealed.startsWith(`${id}.`))
    if (own.length === 0) continue
    if (own.some(({ kid, sealed }) => openPrivateJwk(keyring, sealed, signingKeyContext(kid)) !== null)) continue
    throw new Error(
      `The master key ${id} does not decrypt the backup: it has the same id as the backup's key, but is another key. Set the master keys that were stored for this backup, then restore again.`,
    )
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
