import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseSettings } from './database-settings.ts'
import { isBusy } from './storage/sqlite/sqlite-error.ts'

/** Keeps the connections from garbage collection, which would close them and release their locks. */
const held = new Set<DatabaseSync>()

/**
 * Marks a SQLite file as served by this process until the process ends, however it ends. Limits, outbox leases and cached
 * tenants are kept per process, so a second server on the file would count and send on its own. Commands that work
 * beside a server (backup, copy, migrate, master keys) do not take the lock.
 * @returns null on PostgreSQL, where any number of servers may run
 * @throws Error when another server has the file
 */
export function lockForServer(database: DatabaseSettings): Disposable | null {
  if (database.engine !== 'sqlite') return null
  mkdirSync(dirname(database.path), { recursive: true, mode: 0o700 })
  const path = realPath(database.path)
  // Node has no flock. SQLite takes the operating system's lock on this empty file, and the system releases it with the
  // process, so nothing is left behind by SIGKILL. The file itself stays: removing it would race with the next server.
  const lockPath = `${path}.server-lock`
  // Created here for its mode. An existing one is left alone: closing any descriptor of it drops this process's locks.
  if (!existsSync(lockPath)) closeSync(openSync(lockPath, 'a', 0o600))
  const lock = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    // In memory: a journal beside the lock file would survive SIGKILL.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new Error(
      `Another server is running on ${path}. A SQLite file takes one server; stop that one first, or run several servers on PostgreSQL: set DATABASE_URL to postgres://…`,
    )
  }
  held.add(lock)
  return {
    [Symbol.dispose]() {
      held.delete(lock)
      lock.close()
    },
  }
}

/** One file has one lock, whatever links lead to it. */
const realPath = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
