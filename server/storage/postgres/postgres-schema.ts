import { setTimeout as delay } from 'node:timers/promises'
import type { MigrationTarget, SchemaSql } from '../migrate.ts'
import { migrations as allMigrations } from '../migrations.ts'
import type { Migration } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import type { PostgresConnection } from './driver/connection.ts'
import type { ConnectionPool } from './driver/connection-pool.ts'
import { failureOf } from './driver/postgres-error.ts'
import { type PostgresEngine, postgresDialect } from './postgres-engines.ts'
import { enableRowLevelSecurity } from './row-level-security.ts'
import { explainSchemaError } from './schema-error.ts'

const applied = systemStatement<{ id: string }>('postgres.applied', 'SELECT id FROM schema_migrations ORDER BY id')
const record = systemStatement(
  'postgres.record',
  'INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
)

const makeLock = 'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER NOT NULL PRIMARY KEY)'
const fillLock = 'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT DO NOTHING'
/** A row, where an advisory lock is not known everywhere. It goes with the transaction, and so with a killed process. */
const takeLock = 'SELECT id FROM schema_lock WHERE id = 1 FOR UPDATE'

/** How a change of the schema reaches the server. */
type Run = <T>(statement: () => Promise<T>) => Promise<T | null>

/**
 * The schema of a database, changed as its engine can.
 * @param acquireTimeoutMs how long a connection is waited for, in milliseconds
 */
export const postgresSchema = (
  connections: ConnectionPool,
  { dialect, schemaChanges }: Pick<PostgresEngine, 'dialect' | 'schemaChanges'>,
  rowLevelSecurity: boolean,
  acquireTimeoutMs: number,
): MigrationTarget => ({
  dialect,
  change: (work) =>
    connections.use(async (connection) => {
      const changeBy = async (run: Run): Promise<void> => {
        await work(schemaSql(connection, run))
        if (rowLevelSecurity)
          await enableRowLevelSecurity(async (sql) => (await run(() => connection.execute(sql)))?.rows ?? [])
      }
      try {
        await connection.withoutTimeouts(async () => {
          if (schemaChanges === 'each by itself') {
            await refuseForeignTables(connection)
            await changeBy(haveDone)
          } else await inOneTransaction(connection, () => changeBy((statement) => statement()))
        })
      } catch (error) {
        throw explainSchemaError(error)
      }
    }, acquireTimeoutMs),
})

/**
 * Refuses a database that lacks migrations. One that is newer is none of them: while servers are replaced one by one,
 * those of the version before run on it, and start again.
 * @param acquireTimeoutMs how long a connection is waited for, in milliseconds
 */
export async function requireSchema(
  connections: ConnectionPool,
  migrations: readonly Migration[],
  acquireTimeoutMs: number,
): Promise<void> {
  const known = await connections.use(appliedIn, acquireTimeoutMs)
  const missing = migrations.filter(({ id }) => !known.includes(id)).map(({ id }) => id)
  if (missing.length === 0) return
  const what = known.length === 0 ? 'is empty' : `lacks ${missing.join(', ')}`
  throw new Error(`This database ${what}, and TENANTRY_MIGRATE is off: run "tenantry migrate" on it first.`)
}

async function appliedIn(connection: PostgresConnection): Promise<readonly string[]> {
  try {
    return (await connection.execute(applied.sql)).rows.map(({ id }) => id)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return []
    throw explainSchemaError(error)
  }
}

const undefinedTable = '42P01'
const duplicateTable = '42P07'

const ourTables = allMigrations.flatMap(({ steps }) =>
  steps.flatMap((step) => /^CREATE TABLE (\w+)/.exec(step(postgresDialect))?.[1] ?? []),
)
const takenNames = `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relname IN ('schema_migrations', '${ourTables.join("', '")}') ORDER BY relname`

/**
 * Refuses a database with another program's table of a name of ours, which would be taken for one that was made before.
 * Ours are made when `schema_migrations` is there, each in a transaction of its own.
 */
async function refuseForeignTables(connection: PostgresConnection): Promise<void> {
  const names = (await haveDone(() => connection.execute(takenNames)))?.rows.map(({ relname }) => relname) ?? []
  if (names.length === 0 || names.includes('schema_migrations')) return
  throw Object.assign(new Error(`relation "${names[0]}" already exists`), { code: duplicateTable })
}

/** One process at a time, the others wait; all of the work is kept, or nothing. */
async function inOneTransaction(connection: PostgresConnection, work: () => Promise<void>): Promise<void> {
  await haveDone(() => connection.execute(makeLock))
  await haveDone(() => connection.execute(fillLock))
  // Whoever waited for the lock must see what its holder did, however transactions are isolated by default.
  await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await connection.execute(takeLock)
    await work()
    await connection.execute('COMMIT')
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

const attemptsAtMost = 20
const longestPauseMs = 200

/**
 * Runs a statement that is a transaction by itself and may have been done before, by a start that was interrupted or by
 * another process just now: null when what it makes is there. While others change the schema too it is tried again
 * (XX000: what engines answer to whom such a change has overtaken).
 */
async function haveDone<T>(statement: () => Promise<T>): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'duplicate') return null
      const mayPass = failure === 'conflict' || (error as { code?: unknown }).code === 'XX000'
      if (!mayPass || attempt === attemptsAtMost) throw error
      await delay(Math.random() * longestPauseMs)
    }
  }
}

const schemaSql = (connection: PostgresConnection, run: Run): SchemaSql => ({
  async execute(sql) {
    await run(() => connection.execute(sql))
  },
  async applied() {
    const answers = await run(() => connection.send([applied, []]))
    return answers?.[0]?.rows.map(({ id }) => id) ?? []
  },
  async record(id, at) {
    await run(() => connection.send([record, [id, at]]))
  },
})
