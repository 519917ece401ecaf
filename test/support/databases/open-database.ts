import { parseSqliteUrl } from '../../../server/settings/database-settings.ts'
import { openPostgresStorage } from '../../../server/storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '../../../server/storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../../../server/storage/storage.ts'
import { borrowPostgresDatabase } from './postgres-database.ts'
import { createSqliteDatabase } from './sqlite-database.ts'
import type { StorageHooks, TestDatabase } from './test-database.ts'

const serverUrl = process.env['TENANTRY_TEST_POSTGRES_URL']

/** Whether test services run on PostgreSQL: TENANTRY_TEST_POSTGRES_URL names a server. */
export const onPostgres = serverUrl !== undefined

/** An empty database of the engine under test. Opening it migrates the schema. */
export const openTestDatabase = (): TestDatabase =>
  serverUrl === undefined ? createSqliteDatabase() : borrowPostgresDatabase(serverUrl)

/** Opens a storage on a database of another process by its URL. */
export const openStorageAt = (url: string, hooks: StorageHooks = {}): Promise<Storage> =>
  url.startsWith('sqlite:')
    ? openSqliteStorage({ path: parseSqliteUrl(url), hooks })
    : openPostgresStorage({ url, hooks })
