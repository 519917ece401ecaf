import type { DatabaseSettings } from '../settings/database-settings.ts'
import { postgresEngines } from '../storage/postgres/postgres-engines.ts'
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'

interface DatabaseEvents {
  /** Called once if the process must be restarted. */
  readonly onFatal?: (error: Error) => void
  /** Called when the database was empty before. */
  readonly onCreated?: () => void
}

/** Opens the configured storage and migrates its schema. */
export async function openDatabase(database: DatabaseSettings, events: DatabaseEvents = {}): Promise<Storage> {
  if (database.engine === 'sqlite') return openSqliteStorage({ path: database.path, ...events })
  // Loads the driver only for a deployment that uses it.
  const { openPostgresStorage } = await import('../storage/postgres/postgres-storage.ts')
  return openPostgresStorage({ ...database, engine: postgresEngines[database.postgresEngine], ...events })
}
