import { setTimeout as delay } from 'node:timers/promises'
import { type MigrationTarget, refuseIncompleteCopy, type SchemaSql } from '../migrate.ts'
import type { Migration } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import type { PostgresConnection } from './driver/connection.ts'
import type { ConnectionPool } from './driver/connection-pool.ts'
import { failureOf } from './driver/postgres-error.ts'
import { ownTables } from './own-tables.ts'
import type { PostgresEngine } from './postgres-engines.ts'
import { enableRowLevelSecurity } from './row-level-security.ts'
import { explainSchemaError } from './schema-error.ts'

const applied = systemStatement<{ id: string }>('postgres.applied', 'SELECT id FROM schema_migrations ORDER BY id')
const record = systemStatement(
  'postgres.record',
  'INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
)

const createLock = 'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER NOT NULL PRIMARY KEY)'
const fillLock = 'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT DO NOTHING'
/** A row lock, because not all engines have advisory locks. The server releases it when the process dies. */
const takeLock = 'SELECT id FROM schema_lock WHERE id = 1 FOR UPDATE'

/** Runs one schema change; null when the change was made before. */
type Run = <T>(statement: () => Promise<T>) => Promise<T | null>

/**
 * The schema of a database, for migrations.
 * @param acquireTimeoutMs how long to wait for a connection
 * @param tableWaits how often a migration is run that waits for a table; ten minutes by default
 */
export const postgresSchema = (
  pool: ConnectionPool,
  { dialect, schemaChanges }: Pick<PostgresEngine, 'dialect' | 'schemaChanges'>,
  rowLevelSecurity: boolean,
  acquireTimeoutMs: number,
  tableWaits = defaultTableWaits,
): MigrationTarget => ({
  dialect,
  change: (work) =>
    pool.use(async (connection) => {
      const changeWith = async (run: Run): Promise<void> => {
        await work(schemaSql(connection, run))
        if (rowLevelSecurity)
          await enableRowLevelSecurity(async (sql) => (await run(() => connection.execute(sql)))?.rows ?? [])
      }
      try {
        await connection.withoutTimeouts(async () => {
          if (schemaChanges === 'each by itself') {
            await refuseForeignTables(connection)
            await changeWith(runIdempotently)
          } else await inOneTransaction(connection, tableWaits, () => changeWith((statement) => statement()))
        })
      } catch (error) {
        throw explainSchemaError(error)
      }
    }, acquireTimeoutMs),
})

/**
 * Refuses a database that lacks migrations. A newer database is accepted: during a rolling update, servers of the previous
 * version keep running on it, and may restart.
 * @param acquireTimeoutMs how long to wait for a connection
 */
export async function requireSchema(
  pool: ConnectionPool,
  migrations: readonly Migration[],
  acquireTimeoutMs: number,
): Promise<void> {
  const known = await pool.use(appliedMigrations, acquireTimeoutMs)
  refuseIncompleteCopy(known)
  const missing = migrations.filter(({ id }) => !known.includes(id)).map(({ id }) => id)
  if (missing.length === 0) return
  const problem = known.length === 0 ? 'is empty' : `lacks ${missing.join(', ')}`
  throw new Error(`The database ${problem} and TENANTRY_MIGRATE is off; run "tenantry migrate" first.`)
}

async function appliedMigrations(connection: PostgresConnection): Promise<readonly string[]> {
  try {
    return (await connection.execute(applied.sql)).rows.map(({ id }) => id)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return []
    throw explainSchemaError(error)
  }
}

const undefinedTable = '42P01'
const duplicateTable = '42P07'

const existingTables = `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relname IN ('schema_migrations', ${ownTables}) ORDER BY relname`

/**
 * Refuses a database in which another program has a table with one of our names: an idempotent migration would take it
 * for ours. Our tables are only created once `schema_migrations` exists.
 */
async function refuseForeignTables(connection: PostgresConnection): Promise<void> {
  const result = await runIdempotently(() => connection.execute(existingTables))
  const names = result?.rows.map(({ relname }) => relname) ?? []
  if (names.length === 0 || names.includes('schema_migrations')) return
  throw Object.assign(new Error(`relation "${names[0]}" already exists`), { code: duplicateTable })
}

const narrowEncoding = `SELECT pg_encoding_to_char(encoding) AS name FROM pg_database
  WHERE datname = current_database() AND pg_encoding_to_char(encoding) NOT IN ('UTF8', 'SQL_ASCII')
    AND to_regclass('schema_migrations') IS NULL`

/** Refuses a new database that cannot store all text: each name with another letter would end in an error. */
export async function refuseNarrowEncoding(connection: PostgresConnection): Promise<void> {
  const [encoding] = (await connection.execute(narrowEncoding)).rows
  if (encoding === undefined) return
  throw new Error(
    `The database has the encoding ${encoding.name}, which does not have all letters. ` +
      "Create it again with ENCODING 'UTF8' TEMPLATE template0.",
  )
}

/**
 * Less than the time after which a running server gives up a statement. A schema change that waits for a reader of its table,
 * such as a backup, holds up every later statement on that table.
 */
const tableWaitMs = 1_000
const tablePauseMs = 2_000
const defaultTableWaits = 200
/** lock_not_available; deadlock_detected, which comes first on servers with a short `deadlock_timeout`. */
const tableInUse: readonly unknown[] = ['55P03', '40P01']

/** Runs work while holding the schema lock. Other processes wait for it. Runs it again while a table is in use. */
async function inOneTransaction(
  connection: PostgresConnection,
  tableWaits: number,
  work: () => Promise<void>,
): Promise<void> {
  await runIdempotently(() => connection.execute(createLock))
  await runIdempotently(() => connection.execute(fillLock))
  for (let wait = 1; ; wait++) {
    try {
      return await holdingSchemaLock(connection, work)
    } catch (error) {
      if (!tableInUse.includes((error as { code?: unknown }).code) || wait === tableWaits) throw error
      await delay(tablePauseMs)
    }
  }
}

async function holdingSchemaLock(connection: PostgresConnection, work: () => Promise<void>): Promise<void> {
  // A process that waited for the lock must see what its holder did, whatever the default isolation level is.
  await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await connection.execute(takeLock)
    await connection.execute(`SET LOCAL lock_timeout = ${tableWaitMs}`)
    await work()
    await connection.execute('COMMIT')
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

const maxAttempts = 20
const maxPauseMs = 200

/**
 * Runs a statement outside a transaction that an interrupted start or another process may have run before: null when the
 * object exists. Tries again when a concurrent schema change interferes (XX000 on some engines).
 */
async function runIdempotently<T>(statement: () => Promise<T>): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'duplicate') return null
      const isTransient = failure === 'conflict' || (error as { code?: unknown }).code === 'XX000'
      if (!isTransient || attempt === maxAttempts) throw error
      await delay(Math.random() * maxPauseMs)
    }
  }
}

const schemaSql = (connection: PostgresConnection, run: Run): SchemaSql => ({
  async execute(sql) {
    await run(() => connection.execute(sql))
  },
  async applied() {
    const results = await run(() => connection.send([applied, []]))
    return results?.[0]?.rows.map(({ id }) => id) ?? []
  },
  async record(id, at) {
    await run(() => connection.send([record, [id, at]]))
  },
})
