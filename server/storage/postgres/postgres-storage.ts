import { setTimeout as delay } from 'node:timers/promises'
import { migrate } from '../migrate.ts'
import { migrations as allMigrations } from '../migrations.ts'
import type { Migration } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import {
  type CallerRecord,
  type DatabaseUsage,
  type Storage,
  type Stores,
  type SystemStores,
  type TenantStorage,
  type Tx,
  WriteConflict,
} from '../storage.ts'
import { CallerRecords } from '../stores/caller-record.ts'
import { systemStores } from '../stores/system-stores.ts'
import { databaseNow } from './database-now.ts'
import type { PostgresHooks } from './driver/connection.ts'
import { ConnectionPool, DatabaseBusy } from './driver/connection-pool.ts'
import { openingTimeoutMs } from './driver/opening-timeout.ts'
import { ResponseTimeout } from './driver/postgres-error.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { refuseTransactionPooling } from './driver/refuse-transaction-pooling.ts'
import { GrownTables } from './grown-tables.ts'
import { moveEventsOf } from './move-events.ts'
import { type PostgresEngine, postgresEngines } from './postgres-engines.ts'
import { PostgresExecutor } from './postgres-executor.ts'
import { postgresSchema, refuseNarrowEncoding, requireSchema } from './postgres-schema.ts'
import { claimOf, OptimisticStores, PostgresTenantStores } from './postgres-stores.ts'
import { refuseHiddenRows, requireRowLevelSecurity } from './row-level-security.ts'
import { type PostgresTransaction, preambleFor, type Reach } from './transaction.ts'

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432,other:5432/database`. */
  readonly url: string
  /** A file with the password, read for each new connection. Without it, the password is in the URL. */
  readonly passwordFile?: string
  /** The engine at that address; default PostgreSQL. */
  readonly engine?: PostgresEngine
  /** The maximum number of connections of this process; default 10. */
  readonly connections?: number
  /** How many jobs may wait for a connection; default 1,000. The next job is refused with 503. */
  readonly maxWaiting?: number
  /** How long a job waits for a connection, or is retried after conflicts, in milliseconds; default 1,500. */
  readonly acquireTimeoutMs?: number
  /** How long the server may take to answer, in milliseconds; default 3,000. */
  readonly responseTimeoutMs?: number
  /** Whether the database enforces tenant isolation too; default: whether the engine does by default. */
  readonly rowLevelSecurity?: boolean
  /** Whether opening runs migrations; default true. */
  readonly migrate?: boolean
  /** Called when the database was empty before. */
  readonly onCreated?: () => void
  /** For tests. */
  readonly hooks?: PostgresHooks
  /** For tests; default all. */
  readonly migrations?: readonly Migration[]
  /** For tests: how often a migration is run that waits for a table. */
  readonly tableWaits?: number
}

/**
 * Connects to the server, runs migrations, and returns the storage.
 * Throws when no host accepts writes, the schema is newer than this program, or it is older and migrations are off.
 */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const {
    connections: size = 10,
    maxWaiting = 1_000,
    acquireTimeoutMs = 1_500,
    responseTimeoutMs = 3_000,
    hooks = {},
  } = options
  const url = parsePostgresUrl(options.url, options.passwordFile)
  const { engine = postgresEngines.postgresql } = options
  const pool = new ConnectionPool({ url, engine, hooks, size, maxWaiting, acquireTimeoutMs, responseTimeoutMs })
  const { rowLevelSecurity = engine.rowLevelSecurity === 'on', migrations = allMigrations } = options
  const openingMs = Math.max(acquireTimeoutMs, openingTimeoutMs(url))
  try {
    if (engine === postgresEngines.postgresql) {
      await pool.use(refuseTransactionPooling, openingMs)
      await pool.use(refuseNarrowEncoding, openingMs)
    }
    if (options.migrate ?? true) {
      const schema = postgresSchema(pool, engine, rowLevelSecurity, openingMs, options.tableWaits)
      if (await migrate(schema, migrations, Date.now())) options.onCreated?.()
    } else await requireSchema(pool, migrations, openingMs)
    // Also where it is switched off: tables that were migrated with it keep it.
    if (engine.rowLevelSecurity === 'on') await pool.use(refuseHiddenRows, openingMs)
    if (rowLevelSecurity) await pool.use(requireRowLevelSecurity, openingMs)
    return new PostgresStorage(pool, engine, rowLevelSecurity)
  } catch (error) {
    await pool.close()
    throw error instanceof DatabaseBusy && error.cause ? error.cause : error
  }
}

/** Probes of `GET /readyz` time out soon. Longer than the default acquire timeout, whose error gives the reason. */
const pingTimeoutMs = 1_750
const ping = systemStatement('postgres.ping', 'SELECT id FROM schema_migrations LIMIT 1')

class PostgresStorage implements Storage {
  readonly system: SystemStores
  readonly #pool: ConnectionPool
  readonly #engine: PostgresEngine
  readonly #rowLevelSecurity: boolean
  readonly #executor: PostgresExecutor
  readonly #callerRecords: CallerRecords
  readonly #onTransaction: (() => void) | undefined
  #closed: Promise<void> | null = null

  constructor(pool: ConnectionPool, engine: PostgresEngine, rowLevelSecurity: boolean) {
    this.#pool = pool
    this.#engine = engine
    this.#rowLevelSecurity = rowLevelSecurity
    if (engine.genericPlans) {
      const grownTables = new GrownTables(pool)
      this.#onTransaction = () => grownTables.noteTransaction()
    }
    this.#executor = this.#executorFor('system')
    this.#callerRecords = new CallerRecords(this.#executor)
    this.system = systemStores(this.#executor, { claim: claimOf(engine), moveEvents: moveEventsOf(engine) })
  }

  callerRecord(keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    return this.#callerRecords.find(keyId, sessionId)
  }

  forTenant(tenantId: string): TenantStorage {
    return new PostgresTenantStorage(this.#executorFor({ tenantId }), tenantId, this.#engine)
  }

  now(): Promise<number> {
    return databaseNow(this.#executor)
  }

  async latestTime(): Promise<null> {
    return null
  }

  async ping(): Promise<void> {
    const answer = this.#executor.read(async (sql) => sql.row(ping))
    const timeout = delay(pingTimeoutMs, null, { ref: false }).then(() =>
      Promise.reject(new ResponseTimeout(pingTimeoutMs)),
    )
    await Promise.race([answer, timeout])
  }

  get failure(): null {
    return null
  }

  get usage(): DatabaseUsage {
    return { engine: 'postgres', ...this.#pool.usage }
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.close()
    return this.#closed
  }

  #executorFor(reach: Reach): PostgresExecutor {
    const preamble = preambleFor(reach, this.#rowLevelSecurity)
    return new PostgresExecutor(this.#pool, preamble, this.#engine.dataModifyingCtes, this.#onTransaction)
  }
}

class PostgresTenantStorage extends PostgresTenantStores implements TenantStorage {
  readonly #executor: PostgresExecutor

  constructor(executor: PostgresExecutor, tenantId: string, engine: PostgresEngine) {
    super(executor, tenantId, engine)
    this.#executor = executor
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#executor.write((transaction) => work(new PostgresTx(transaction, this.tenantId, this.engine)))
  }

  /** BEGIN and COMMIT would cost two network round trips, which work without a conflict does not need. */
  async writeOptimistically<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    try {
      return await work(new OptimisticStores(this.#executor, this.tenantId, this.engine))
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      return this.write(work)
    }
  }
}

class PostgresTx extends PostgresTenantStores implements Tx {
  readonly #transaction: PostgresTransaction

  constructor(transaction: PostgresTransaction, tenantId: string, engine: PostgresEngine) {
    super(transaction, tenantId, engine)
    this.#transaction = transaction
  }

  onCommit(then: () => void): void {
    this.#transaction.onCommit(then)
  }
}
