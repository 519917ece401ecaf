import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { postgresEngines } from '../storage/postgres/postgres-engines.ts'
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'

/** How long startup waits for PostgreSQL, in milliseconds: it may be starting too, or failing over. */
const waitForServerMs = 60_000
/** The pause between two attempts, in milliseconds. */
const retryPauseMs = 1_000

interface DatabaseEvents {
  /** Called once if the process must be restarted. */
  readonly onFatal?: (error: Error) => void
  /** Called when the database was empty before. */
  readonly onCreated?: () => void
  /** Called before each further attempt to reach PostgreSQL. Without it there is one attempt. */
  readonly onUnreachable?: (error: Error) => void
}

/**
 * Opens the configured storage and migrates its schema.
 * @param waitMs how long PostgreSQL may be unreachable
 */
export async function openDatabase(
  database: DatabaseSettings,
  events: DatabaseEvents = {},
  waitMs: number = waitForServerMs,
): Promise<Storage> {
  if (database.engine === 'sqlite') return openSqliteStorage({ path: database.path, ...events })
  // Loads the driver only for a deployment that uses it.
  const { openPostgresStorage } = await import('../storage/postgres/postgres-storage.ts')
  const { failureOf } = await import('../storage/postgres/driver/postgres-error.ts')
  const options = { ...database, engine: postgresEngines[database.postgresEngine], ...events }
  for (const deadline = performance.now() + waitMs; ; await delay(retryPauseMs)) {
    try {
      return await openPostgresStorage(options)
    } catch (error) {
      // A wrong password stays wrong, and so does a schema that is newer than this program.
      if (!events.onUnreachable || failureOf(error) !== 'connection' || performance.now() >= deadline) throw error
      events.onUnreachable(error as Error)
    }
  }
}
