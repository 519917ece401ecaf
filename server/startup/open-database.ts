import type { DatabaseSettings } from '../settings/database-settings.ts'
import { postgresEngines } from '../storage/postgres/postgres-engines.ts'
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * Opens the configured storage and migrates its schema.
 * @param onFatal called once if the process must be restarted
 */
export async function openDatabase(database: DatabaseSettings, onFatal?: (error: Error) => void): Promise<Storage> {
  if (database.engine === 'sqlite') return openSqliteStorage({ path: database.path, ...(onFatal && { onFatal }) })
  // Loads the driver only for a deployment that uses it.
  const { openPostgresStorage } = await import('../storage/postgres/postgres-storage.ts')
  return openPostgresStorage({ ...database, engine: postgresEngines[database.postgresEngine] })
}
