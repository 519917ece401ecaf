import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStorage } from '../../../server/storage/sqlite/sqlite-storage.ts'
import type { StoredRow, TestDatabase } from './test-database.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'tenantry-test-'))

let migrated: Promise<Buffer> | null = null

async function migrateFile(): Promise<Buffer> {
  const folder = newFolder()
  const path = join(folder, 'migrated.db')
  const storage = await openSqliteStorage({ path })
  await storage.close()
  const bytes = readFileSync(path)
  await rm(folder, { recursive: true })
  return bytes
}

/** Writes an empty database that migrations have run on, unless there is a file. Running them takes five times as long. */
export async function writeMigrated(path: string): Promise<void> {
  migrated ??= migrateFile()
  const bytes = await migrated
  if (!existsSync(path)) writeFileSync(path, bytes, { mode: 0o600 })
}

/** A database file in a new folder. Migrations run once per process, and each file begins as a copy of their result. */
export function createSqliteDatabase(): TestDatabase {
  const folder = newFolder()
  const path = join(folder, 'tenantry.db')
  const connect = () => new DatabaseSync(path, { timeout: 5000 })

  return {
    url: `sqlite:${path}`,
    async open(hooks = {}) {
      await writeMigrated(path)
      return openSqliteStorage({ path, hooks })
    },
    ask(sql, ...parameters) {
      using database = connect()
      const rows = database.prepare(sql).all(...parameters) as StoredRow[]
      return rows.map((row) => ({ ...row }))
    },
    everything() {
      using database = connect()
      database.exec('BEGIN')
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
      return Object.fromEntries(
        tables.map(({ name }) => [
          name,
          database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all() as StoredRow[],
        ]),
      )
    },
    columns() {
      using database = connect()
      const sql = `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s, pragma_table_info(s.name) c
        WHERE s.type = 'table' ORDER BY s.name`
      return database.prepare(sql).all() as { table: string; column: string }[]
    },
    bytes: () =>
      Object.fromEntries(
        ['', '-wal', '-shm']
          .filter((suffix) => existsSync(path + suffix))
          .map((suffix) => [`database${suffix}`, readFileSync(path + suffix)]),
      ),
    release: () => rm(folder, { recursive: true, force: true }),
  }
}
