import type { DatabaseSettings } from '../settings/database-settings.ts'
import { openDatabase } from '../startup/open-database.ts'
import { incompleteCopy, refuseIncompleteCopy } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations.ts'
import { describePlace, isThere } from './place.ts'
import type { TableDatabase } from './tables.ts'
import { useSource } from './use-tables.ts'

/** The result of a migration, as migration ids. */
interface SchemaChange {
  readonly database: string
  /** The last migration before; null if there was no schema. */
  readonly from: string | null
  readonly to: string
  /** Migrations applied in between, by this or another process. */
  readonly applied: readonly string[]
}

const known = migrations.map(({ id }) => id)

/** Whether a database, which may be an incomplete copy, has the migrations of this program and no others. */
export async function isUpToDate(place: DatabaseSettings): Promise<boolean> {
  const applied = (await appliedIn(place)).filter((id) => id !== incompleteCopy)
  return applied.join() === known.join()
}

/**
 * Migrates the schema of a database like a server does at startup. Safe while servers or other migrations run.
 * @throws Error if the database is newer than this program
 */
export async function bringUpToDate(place: DatabaseSettings): Promise<SchemaChange> {
  const before = await appliedIn(place)
  const storage = await openDatabase(place.engine === 'postgres' ? { ...place, migrate: true } : place)
  // Read before the close: a read-only connection that SQLite closes last leaves its -wal and -shm behind.
  const after = await appliedIn(place).finally(() => storage.close())
  return {
    database: describePlace(place),
    from: before.at(-1) ?? null,
    to: after.at(-1)!,
    applied: after.filter((id) => !before.includes(id)),
  }
}

/** @throws Error unless the database has the schema of this program; `what` names the database */
export async function requireCurrentSchema(database: TableDatabase, what: string): Promise<void> {
  const applied = (await database.migrations()).map(({ id }) => id)
  if (applied.length === 0) throw new Error(`${what} is not a Tenantry database: it has no table schema_migrations.`)
  refuseIncompleteCopy(applied, what)
  const newer = applied.filter((id) => !known.includes(id))
  if (newer.length > 0) {
    throw new Error(
      `${what} is newer than this program: it has the migrations ${newer.join(', ')}. Use a newer version of Tenantry.`,
    )
  }
  const missing = known.filter((id) => !applied.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `${what} is older than this program: it lacks the migrations ${missing.join(', ')}. Run "tenantry migrate" first.`,
  )
}

async function appliedIn(place: DatabaseSettings): Promise<string[]> {
  if (!isThere(place)) return []
  return useSource(place, async (database) => (await database.migrations()).map(({ id }) => id))
}
