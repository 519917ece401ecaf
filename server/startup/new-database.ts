import { statSync } from 'node:fs'
import type { DatabaseSettings } from '../settings/database-settings.ts'

/**
 * Whether opening will create the database, because its file is missing or empty. In staging and production, the cause is
 * more often an unmounted volume or a lost file than a first startup.
 */
export const isNewDatabase = (database: DatabaseSettings): boolean =>
  database.engine === 'sqlite' && (statSync(database.path, { throwIfNoEntry: false })?.size ?? 0) === 0

export const newDatabaseWarning = (path: string): string =>
  `created an empty database at ${path}; if you expected data there, stop the server and restore a backup`
