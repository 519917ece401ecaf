import { accessSync, constants, existsSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../core/clock.ts'
import { fileErrorCode } from '../core/file-refusal.ts'
import { createOwnedFile } from '../core/owned-file.ts'
import { createPrivateFolder } from '../core/private-folder.ts'
import { realPath } from '../core/real-path.ts'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import {
  DatabaseFileError,
  explainingFileErrors,
  isNoDatabase,
  requireNoFolder,
} from '../storage/sqlite/database-file-error.ts'
import { isBusy } from '../storage/sqlite/sqlite-error.ts'

/** Proof that this process is the only server of a SQLite file; disposing it releases the lock. */
interface ServerLock extends Disposable {
  /** When a server last held the lock, epoch milliseconds by its clock; null when none did. Known to a few seconds. */
  readonly lastSeen: number | null
  /** Records the clock's time from now on, for `lastSeen` of the next server. */
  follow(clock: Clock): void
}

/** Another process is the server of the file. */
export class OtherServerRunning extends Error {
  override name = 'OtherServerRunning'
  constructor(path: string) {
    super(
      `Another server is running on ${path}. SQLite supports one server per file. Stop the other server first, or use PostgreSQL for several servers (DATABASE_URL=postgres://…).`,
    )
  }
}

/** How often the time is recorded. */
const noteEveryMs = 5_000

/** Keeps the connections from garbage collection, which would close them and release their locks. */
const held = new Set<DatabaseSync>()

/**
 * Marks a SQLite file as served by this process until the process ends, however it ends. Limits, outbox leases and cached
 * tenants are kept per process, so a second server on the file would count and send independently. Restoring a backup takes
 * the lock too, and a copy that of its target. Commands that can run beside a server (backup, migrate, master-key) do not.
 * The database file can be missing or damaged.
 * @returns null on PostgreSQL, where any number of servers may run
 * @throws OtherServerRunning; Error if the lock cannot be opened
 */
export function lockForServer(database: DatabaseSettings): ServerLock | null {
  if (database.engine !== 'sqlite') return null
  return explainingFileErrors(database.path, () => lockFile(database.path))
}

function lockFile(databasePath: string): ServerLock {
  // The lock of a folder would be a file beside the folder.
  requireNoFolder(databasePath)
  createPrivateFolder(dirname(databasePath))
  // One file has one lock, whatever links lead to it, also before it exists: SQLite creates the file that a link names.
  const path = realPath(databasePath)
  // Node has no flock. SQLite takes the operating system's lock on this empty file, and the system releases it with the
  // process, so nothing is left behind by SIGKILL. The file itself stays: removing it would race with the next server.
  const lockPath = `${path}.server-lock`
  // Created here for its mode. An existing one is left alone: closing any descriptor of it drops this process's locks.
  const lastSeen = existsSync(lockPath) ? Math.floor(statSync(lockPath).mtimeMs) : null
  if (lastSeen === null) createLock(lockPath)
  if (statSync(lockPath).isDirectory()) throw unusable(path, lockPath, 'is a folder')
  // SQLite opens a file that it may not write as read-only, and BEGIN EXCLUSIVE then locks nothing.
  accessSync(lockPath, constants.R_OK | constants.W_OK)
  const lock = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    // In memory: a journal beside the lock file would survive SIGKILL.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new OtherServerRunning(path)
    // Otherwise the message about a damaged database would be about a sound one.
    throw isNoDatabase(error) ? unusable(path, lockPath, 'is not empty') : error
  }
  held.add(lock)
  let clock: Clock | null = null
  let timer: NodeJS.Timeout | undefined
  function note(): void {
    if (clock === null) return
    const seconds = clock.now() / 1000
    try {
      utimesSync(lockPath, seconds, seconds) // By path; see above.
    } catch {
      // The recorded time is optional for the next server.
    }
  }
  return {
    lastSeen,
    follow(followed) {
      clock = followed
      note()
      timer = setInterval(note, noteEveryMs).unref()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      note()
      held.delete(lock)
      lock.close()
    },
  }
}

const unusable = (path: string, lockPath: string, why: string): Error =>
  new DatabaseFileError(
    `failed to lock the database ${path}: its lock file ${lockPath} ${why}; stop every server on the database, then delete the lock file`,
  )

function createLock(path: string): void {
  try {
    createOwnedFile(path, dirname(path))
  } catch (error) {
    // Another process has just created it.
    if (fileErrorCode(error) !== 'EEXIST') throw error
  }
}
