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
import type { PostgresHooks } from './driver/connection.ts'
import { ConnectionPool, DatabaseBusy } from './driver/connection-pool.ts'
import { openingTimeoutMs } from './driver/opening-timeout.ts'
import { ResponseTimeout } from './driver/postgres-error.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { refuseTransactionPooling } from './driver/refuse-transaction-pooling.ts'
import { type PostgresEngine, postgresEngines } from './postgres-engines.ts'
import { PostgresExecutor } from './postgres-executor.ts'
import { postgresSchema, requireSchema } from './postgres-schema.ts'
import { claimOf, OptimisticStores, PostgresTenantStores } from './postgres-stores.ts'
import { type PostgresTransaction, preambleFor, type Reach } from './transaction.ts'

/** How the database is reached. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432,other:5432/database`. */
  readonly url: string
  /** A file with the password, read anew for each connection; in the URL unless named. */
  readonly passwordFile?: string
  /** What is at that address; PostgreSQL itself. */
  readonly engine?: PostgresEngine
  /** Connections of this process at most; 10. */
  readonly connections?: number
  /** Pieces of work that may wait for a connection, reads of one moment as one; 1,000. The next is refused with 503. */
  readonly maxWaiting?: number
  /** How long a piece of work waits for a connection, or goes on trying again, in milliseconds; 1,500. */
  readonly acquireTimeoutMs?: number
  /** How long the server may take for an answer, in milliseconds; 3,000. */
  readonly responseTimeoutMs?: number
  /** Whether the database holds tenants apart too; as the engine does unless told otherwise. */
  readonly rowLevelSecurity?: boolean
  /** Whether opening brings the schema up to date; true. */
  readonly migrate?: boolean
  /** Told what callbacks throw that follow a commit; on standard error. */
  readonly onError?: (error: unknown) => void
  /** For tests. */
  readonly hooks?: PostgresHooks
  /** For tests; all. */
  readonly migrations?: readonly Migration[]
}

/**
 * Connects to the server, brings its schema up to date, and answers with the storage on it.
 * Throws when no host takes writes, the schema is newer than this program, or it is older and not to be migrated.
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
  const { engine = postgresEngines.postgresql, onError = reportOnStandardError } = options
  const connections = new ConnectionPool({ url, engine, hooks, size, maxWaiting, acquireTimeoutMs, responseTimeoutMs })
  const { rowLevelSecurity = engine.rowLevelSecurity === 'on', migrations = allMigrations } = options
  const openingMs = Math.max(acquireTimeoutMs, openingTimeoutMs(url))
  try {
    if (engine === postgresEngines.postgresql) await connections.use(refuseTransactionPooling, openingMs)
    if (options.migrate ?? true) {
      await migrate(postgresSchema(connections, engine, rowLevelSecurity, openingMs), migrations, Date.now())
    } else await requireSchema(connections, migrations, openingMs)
    return new PostgresStorage(connections, engine, rowLevelSecurity, onError)
  } catch (error) {
    await connections.close()
    // What is wrong with the servers says more than that there is none.
    throw error instanceof DatabaseBusy && error.cause ? error.cause : error
  }
}

/** `GET /readyz` is asked by those who give up soon. Longer than the pool's patience: its reason says more. */
const pingMs = 1_750
const now = systemStatement<{ now: number }>(
  'postgres.now',
  'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
)
const ping = systemStatement('postgres.ping', 'SELECT id FROM schema_migrations LIMIT 1')

/** A pool of connections to one database. */
class PostgresStorage implements Storage {
  readonly system: SystemStores
  readonly #connections: ConnectionPool
  readonly #engine: PostgresEngine
  readonly #rowLevelSecurity: boolean
  readonly #onError: (error: unknown) => void
  readonly #executor: PostgresExecutor
  readonly #callerRecords: CallerRecords
  #closed: Promise<void> | null = null

  constructor(
    connections: ConnectionPool,
    engine: PostgresEngine,
    rowLevelSecurity: boolean,
    onError: (error: unknown) => void,
  ) {
    this.#connections = connections
    this.#engine = engine
    this.#rowLevelSecurity = rowLevelSecurity
    this.#onError = onError
    this.#executor = this.#executorFor('system')
    this.#callerRecords = new CallerRecords(this.#executor)
    this.system = systemStores(this.#executor, claimOf(engine))
  }

  callerRecord(keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    return this.#callerRecords.find(keyId, sessionId)
  }

  forTenant(tenantId: string): TenantStorage {
    return new PostgresTenantStorage(this.#executorFor({ tenantId }), tenantId, this.#engine)
  }

  now(): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(now))!.now)
  }

  async latestTime(): Promise<null> {
    return null
  }

  async ping(): Promise<void> {
    const answer = this.#executor.read(async (sql) => sql.row(ping))
    const tooLate = delay(pingMs, null, { ref: false }).then(() => Promise.reject(new ResponseTimeout(pingMs)))
    await Promise.race([answer, tooLate])
  }

  get failure(): null {
    return null
  }

  get usage(): DatabaseUsage {
    return { engine: 'postgres', ...this.#connections.usage }
  }

  close(): Promise<void> {
    this.#closed ??= this.#connections.close()
    return this.#closed
  }

  #executorFor(reach: Reach): PostgresExecutor {
    return new PostgresExecutor(this.#connections, preambleFor(reach, this.#rowLevelSecurity), this.#onError)
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

function reportOnStandardError(error: unknown): void {
  process.stderr.write(`A callback that follows a commit failed: ${error instanceof Error ? error.stack : error}\n`)
}
