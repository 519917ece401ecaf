import type { MigrationTarget, SchemaSql } from '../migrate.ts'
import type { SchemaDialect } from '../migrations.ts'
import { systemStatement } from '../statement.ts'
import type { PostgresConnection } from './connection.ts'
import type { Connections } from './connections.ts'
import { failureOf } from './postgres-error.ts'
import { separateTenants } from './row-level-security.ts'

/** Rows of tenants refer to nothing: the engines that spread tables over machines know no such references. */
export const postgresDialect: SchemaDialect = { bigint: 'BIGINT', tableOptions: '', tenantReference: '' }

const applied = systemStatement<{ id: string }>('postgres.applied', 'SELECT id FROM schema_migrations ORDER BY id')
const record = systemStatement('postgres.record', 'INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2)')

const makeLock = 'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER NOT NULL PRIMARY KEY)'
const fillLock = 'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT DO NOTHING'
/** A row, where an advisory lock is not known everywhere. It goes with the transaction, and so with a killed process. */
const takeLock = 'SELECT id FROM schema_lock WHERE id = 1 FOR UPDATE'

/** The schema of a database; one process at a time changes it, the others wait. */
export const postgresSchema = (connections: Connections, rowLevelSecurity: boolean): MigrationTarget => ({
  dialect: postgresDialect,
  async exclusively(work) {
    await connections.use(async (connection) => {
      await connection.unhurried(async () => {
        await haveLock(connection)
        // Whoever waited for the lock must see what its holder did, however transactions are isolated by default.
        await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
        try {
          await connection.execute(takeLock)
          await work(schemaSql(connection))
          if (rowLevelSecurity) await separateTenants(connection)
          await connection.execute('COMMIT')
        } catch (error) {
          await connection.execute('ROLLBACK').catch(() => {})
          throw error
        }
      })
    })
  },
})

/** Of processes that start together on an empty database some fail to make what another has just made. */
async function haveLock(connection: PostgresConnection): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.execute(makeLock)
      await connection.execute(fillLock)
      return
    } catch (error) {
      if (!['conflict', 'duplicate'].includes(failureOf(error)) || attempt === 5) throw error
    }
  }
}

const schemaSql = (connection: PostgresConnection): SchemaSql => ({
  async execute(sql) {
    await connection.execute(sql)
  },
  applied: async () => (await connection.send(applied, [])).rows.map(({ id }) => id),
  async record(id, at) {
    await connection.send(record, [id, at])
  },
})
