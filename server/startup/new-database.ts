import type { DatabaseSettings } from '../settings/database-settings.ts'

/**
 * In staging and production, the cause of an empty database is more often an unmounted volume, a lost file, or a wrong address
 * or search_path than a first startup.
 */
export const newDatabaseWarning = (database: DatabaseSettings): string =>
  database.engine === 'sqlite'
    ? `created an empty database at ${database.path}; if you expected data there, stop the server and restore a backup`
    : 'created the tables in an empty database; if you expected data there, stop the server and check DATABASE_URL and the ' +
      'search_path of its user, or restore a backup'
