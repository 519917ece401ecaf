import { statSync } from 'node:fs'
import type { DatabaseSettings } from '../settings/database-settings.ts'

/**
 * Whether opening will create the database: its file is missing or empty. In staging and production that is more often a
 * volume that is not mounted, or a file that was lost, than a first start.
 */
export const isNewDatabase = (database: DatabaseSettings): boolean =>
  database.engine === 'sqlite' && (statSync(database.path, { throwIfNoEntry: false })?.size ?? 0) === 0

export const newDatabaseWarning = (path: string): string =>
  `created an empty database at ${path}; if you expected data there, stop the server and restore a backup`
