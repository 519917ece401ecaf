import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../core/clock.ts'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { isBusy } from '../storage/sqlite/sqlite-error.ts'

/** That this process serves a SQLite file; disposed of, it lets the next server have it. */
export interface ServerLock extends Disposable {
  /** When a server last held the lock, epoch milliseconds by its clock; null when none did. Known to a few seconds. */
  readonly lastSeen: number | null
  /** Notes the clock's time from now on, for the next server's `lastSeen`. */
  follow(clock: Clock): void
}

/** How often the time is noted. */
const noteEveryMs = 5_000

/** Keeps the connections from garbage collection, which would close them and release their locks. */
const held = new Set<DatabaseSync>()

/**
 * Marks a SQLite file as served by this process until the process ends, however it ends. Limits, outbox leases and cached
 * tenants are kept per process, so a second server on the file would count and send on its own. Commands that work
 * beside a server (backup, copy, migrate, master keys) do not take the lock.
 * @returns null on PostgreSQL, where any number of servers may run
 * @throws Error when another server has the file
 */
export function lockForServer(database: DatabaseSettings): ServerLock | null {
  if (database.engine !== 'sqlite') return null
  mkdirSync(dirname(database.path), { recursive: true, mode: 0o700 })
  const path = realPath(database.path)
  // Node has no flock. SQLite takes the operating system's lock on this empty file, and the system releases it with the
  // process, so nothing is left behind by SIGKILL. The file itself stays: removing it would race with the next server.
  const lockPath = `${path}.server-lock`
  // Created here for its mode. An existing one is left alone: closing any descriptor of it drops this process's locks.
  const lastSeen = existsSync(lockPath) ? Math.floor(statSync(lockPath).mtimeMs) : null
  if (lastSeen === null) closeSync(openSync(lockPath, 'a', 0o600))
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
  let clock: Clock | null = null
  let timer: NodeJS.Timeout | undefined
  function note(): void {
    if (clock === null) return
    const seconds = clock.now() / 1000
    try {
      utimesSync(lockPath, seconds, seconds) // By its path: see above.
    } catch {
      // The time it would have given is a courtesy to the next server.
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

/** One file has one lock, whatever links lead to it. */
const realPath = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
