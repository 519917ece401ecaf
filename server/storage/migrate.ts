import { type Migration, type SchemaDialect, stepsOn } from './schema-steps.ts'

/** Schema changes on one connection. */
export interface SchemaSql {
  execute(sql: string): void | Promise<void>
  /** The ids in `schema_migrations`. */
  applied(): string[] | Promise<string[]>
  /** Adds a row to `schema_migrations`. */
  record(id: string, at: number): void | Promise<void>
}

/** A database whose schema can be migrated. */
export interface MigrationTarget {
  readonly dialect: SchemaDialect
  /**
   * Runs `work` in a transaction that no other process changes the schema in, waiting for processes that do. An engine
   * without transactional schema changes runs each statement alone and skips what already exists.
   */
  change(work: (sql: SchemaSql) => Promise<void>): Promise<void>
}

/**
 * Migrates the schema. The next startup resumes an interrupted migration: each one commits together with its record, in
 * one of the processes that start at once. Without transactional schema changes its steps are repeated, and the record
 * comes last.
 * @returns whether the database was empty: no migration had run on it
 * @throws Error when the database has a migration that this program does not know, or is an incomplete copy
 */
export async function migrate(
  target: MigrationTarget,
  migrations: readonly Migration[],
  now: number,
): Promise<boolean> {
  let known: readonly string[] = []
  await target.change(async (sql) => {
    const { text, bigint, tableOptions } = target.dialect
    await sql.execute(
      `CREATE TABLE IF NOT EXISTS schema_migrations (id ${text} NOT NULL PRIMARY KEY, applied_at ${bigint} NOT NULL)${tableOptions}`,
    )
    known = await sql.applied()
    refuseNewer(known, migrations)
  })
  for (const migration of migrations) {
    if (known.includes(migration.id)) continue
    await target.change(async (sql) => {
      // Read again, because another process may have run it in the meantime.
      if ((await sql.applied()).includes(migration.id)) return
      for (const step of stepsOn(target.dialect, migration)) await sql.execute(step)
      await sql.record(migration.id, now)
    })
  }
  return known.length === 0
}

/**
 * Stands in `schema_migrations` while a copy is incomplete (decision 0020). Versions that do not know it refuse it as a
 * migration of a newer one.
 */
export const incompleteCopy = 'incomplete-copy'

/** @throws Error when the database is an incomplete copy; `what` names it */
export function refuseIncompleteCopy(applied: readonly string[], what = 'This database'): void {
  if (applied.includes(incompleteCopy)) {
    throw new Error(`${what} is an incomplete copy. Run "tenantry copy" again, which completes it.`)
  }
}

function refuseNewer(applied: readonly string[], migrations: readonly Migration[]): void {
  refuseIncompleteCopy(applied)
  const known = new Set(migrations.map((migration) => migration.id))
  const unknown = applied.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  throw new Error(
    `This database is newer than this program: unknown migrations ${unknown.join(', ')}. Start a version at least as new as the one that last ran on it.`,
  )
}
