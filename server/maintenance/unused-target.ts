import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { lockForServer, OtherServerRunning } from '../startup/server-lock.ts'
import type { TableDatabase } from './tables.ts'
import { useSource } from './use-tables.ts'

/** Servers and commands connect under this name. */
const othersConnected = `SELECT COUNT(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'tenantry' AND pid <> pg_backend_pid()`

/** PostgreSQL shows a connection for some time after its client has closed it, as this command has just done. */
const waitsMs = [0, 200, 800, 2_000]

/**
 * Rejects a target that a server uses: it keeps keys in memory that the copy replaces, and would sign the event log with a
 * key that the database no longer has.
 * @returns on SQLite a lock, with which no server starts
 */
export async function requireUnused(to: DatabaseSettings): Promise<Disposable | null> {
  if (to.engine === 'sqlite') return lockTarget(to)
  for (const waitMs of waitsMs) {
    await pause(waitMs)
    if (!(await useSource(to, isConnected))) return null
  }
  throw inUse()
}

function lockTarget(to: DatabaseSettings): Disposable | null {
  try {
    return lockForServer(to)
  } catch (error) {
    throw error instanceof OtherServerRunning ? inUse() : error
  }
}

const isConnected = async (target: TableDatabase): Promise<boolean> =>
  Number((await target.execute(othersConnected))[0]!['count']) > 0

const inUse = (): Error => new Error('A server or another command is using the target. Stop it first, then copy again.')
