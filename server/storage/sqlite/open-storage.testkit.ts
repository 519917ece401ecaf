import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeMigrated } from '../../../test/support/databases/sqlite-database.ts'
import type { Dump, OpenedStorage } from '../suite/opened-storage.testkit.ts'
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite-storage.ts'

/** Opens a storage on a new file in a new folder; closing it deletes the folder. */
export async function openTestStorage(
  options: Partial<SqliteStorageOptions> = {},
): Promise<OpenedStorage & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-storage-'))
  const path = options.path ?? join(folder, 'tenantry.db')
  if (options.path === undefined && options.migrations === undefined) await writeMigrated(path)
  const storage = await openSqliteStorage({ ...options, path })
  return {
    storage,
    path,
    dump: async () => dumpFile(path),
    execute: async (sql) => executeOn(path, sql),
    async close() {
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Runs statements on a separate connection. */
export function executeOn(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/** Every row of every table in a stable order, read by a separate connection. */
export function dumpFile(path: string): Dump {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    const rowsOf = (table: string) =>
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => [JSON.stringify(row), row] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => row)
    return Object.fromEntries(tables.map(({ name }) => [String(name), rowsOf(String(name))]))
  } finally {
    database.close()
  }
}
