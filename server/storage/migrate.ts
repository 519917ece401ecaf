import type { Migration, SchemaDialect } from './schema-steps.ts'

/** What changes the schema, on one connection. */
export interface SchemaSql {
  execute(sql: string): void | Promise<void>
  /** The ids in schema_migrations. */
  applied(): string[] | Promise<string[]>
  /** Adds a row to schema_migrations. */
  record(id: string, at: number): void | Promise<void>
}

/** A database whose schema can be brought up to date. */
export interface MigrationTarget {
  readonly dialect: SchemaDialect
  /**
   * Runs `work` in a transaction while no other process changes the schema, and waits for those that do. Where schema
   * changes are no part of transactions, each statement by itself, beside other processes: what is there is left as it is.
   */
  change(work: (sql: SchemaSql) => Promise<void>): Promise<void>
}

/**
 * Brings the schema up to date. A start that was interrupted is resumed by the next one: each migration is stored in one
 * transaction with the record that it was, and of processes starting together runs in one; or its steps are done again,
 * where they were done one by one, and the record comes last.
 * Throws when the database knows a migration that this program does not.
 */
export async function migrate(target: MigrationTarget, migrations: readonly Migration[], now: number): Promise<void> {
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
      // Read again each time: another process may have run it meanwhile.
      if ((await sql.applied()).includes(migration.id)) return
      for (const step of migration.steps) await sql.execute(step(target.dialect))
      await sql.record(migration.id, now)
    })
  }
}

function refuseNewer(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.id))
  const unknown = applied.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  throw new Error(
    `This database is newer than this program: it has been migrated by ${unknown.join(', ')}, which this version does not know. Start a version at least as new as the one that last ran on it.`,
  )
}
