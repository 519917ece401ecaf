import type { MigrationTarget, SchemaSql } from '../migrate.ts'
import type { SchemaDialect } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'
import { retryWhileBusy } from './sqlite-error.ts'

/**
 * STRICT rejects a value of the wrong type instead of converting it. Tables keep their row ids, because without them each
 * index repeats the whole primary key. The foreign key keeps a request in flight from adding rows of an erased tenant.
 */
const sqliteDialect: SchemaDialect = {
  bigint: 'INTEGER',
  text: 'TEXT',
  tableOptions: ' STRICT',
  tenantReference: ' REFERENCES tenants (id)',
  createIndex: 'CREATE INDEX',
  partialIndexes: true,
  rowIds: true,
  columnConstraints: true,
}

const applied = systemStatement<{ id: string }>('schema.applied', 'SELECT id FROM schema_migrations ORDER BY id')
const record = systemStatement('schema.record', 'INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2)')

/** The schema of a database file, for migrations. Waits up to `busyTimeoutMs` for other processes that change it. */
export const sqliteSchema = (connection: SqliteConnection, busyTimeoutMs: number): MigrationTarget => ({
  dialect: sqliteDialect,
  async change(work) {
    await retryWhileBusy(busyTimeoutMs, () => connection.begin())
    try {
      await work(schemaSql(connection))
      connection.commit()
    } catch (error) {
      connection.rollback()
      throw error
    }
  },
})

const schemaSql = (connection: SqliteConnection): SchemaSql => ({
  execute: (sql) => connection.execute(sql),
  applied: () => connection.rows(applied).map((row) => row.id),
  record(id, at) {
    connection.run(record, id, at)
  },
})
