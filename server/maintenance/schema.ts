import type { DatabaseSettings } from '../settings/database-settings.ts'
import { openDatabase } from '../startup/open-database.ts'
import { migrations } from '../storage/migrations.ts'
import { describePlace, isThere } from './place.ts'
import type { TableDatabase } from './tables.ts'
import { useSource } from './use-tables.ts'

/** What bringing a schema up to date came to, as ids of migrations. */
export interface SchemaChange {
  readonly database: string
  /** The last one before; null when there was no schema. */
  readonly from: string | null
  readonly to: string
  /** Those that ran meanwhile, in this process or another. */
  readonly applied: readonly string[]
}

const known = migrations.map(({ id }) => id)

/**
 * Brings a database's schema up to date, as a server does when it starts; safe beside servers and beside itself.
 * @throws Error when the database is newer than this program
 */
export async function bringUpToDate(place: DatabaseSettings): Promise<SchemaChange> {
  const before = await appliedIn(place)
  const storage = await openDatabase(place.engine === 'postgres' ? { ...place, migrate: true } : place)
  await storage.close()
  const after = await appliedIn(place)
  return {
    database: describePlace(place),
    from: before.at(-1) ?? null,
    to: after.at(-1)!,
    applied: after.filter((id) => !before.includes(id)),
  }
}

/** @throws Error when the database is no database of this program's version; `what` is what it is called */
export async function requireCurrentSchema(database: TableDatabase, what: string): Promise<void> {
  const applied = (await database.migrations()).map(({ id }) => id)
  if (applied.length === 0) throw new Error(`${what} is no database of Tenantry: it has no schema_migrations.`)
  const newer = applied.filter((id) => !known.includes(id))
  if (newer.length > 0) {
    throw new Error(`${what} is newer than this program: it knows ${newer.join(', ')}. Use a version at least as new.`)
  }
  const missing = known.filter((id) => !applied.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `${what} is older than this program: it lacks ${missing.join(', ')}. Run "tenantry migrate" on it first.`,
  )
}

async function appliedIn(place: DatabaseSettings): Promise<string[]> {
  if (!isThere(place)) return []
  return useSource(place, async (database) => (await database.migrations()).map(({ id }) => id))
}
