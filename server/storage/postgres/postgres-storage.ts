import { setTimeout as delay } from 'node:timers/promises'
import type { Effect, Executor, Parameter, Sql } from '../database.ts'
import { migrate } from '../migrate.ts'
import { migrations as allMigrations, type Migration } from '../migrations.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { type Gate, type Storage, type SystemStores, type TenantStorage, type Tx, WriteConflict } from '../storage.ts'
import { findGate } from '../stores/gate.ts'
import { systemStores } from '../stores/system-stores.ts'
import type { PostgresHooks } from './connection.ts'
import { Connections } from './connections.ts'
import { failureOf, isServerError, OutcomeUnknown } from './postgres-error.ts'
import { postgresSchema } from './postgres-schema.ts'
import { claimUnlocked, PostgresTenantStores } from './postgres-stores.ts'
import { parsePostgresUrl } from './postgres-url.ts'
import { beginningOf, type Frame, PostgresTransaction, type Reach, requireCommitted, toEffect } from './transaction.ts'

/** How the database is reached. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432,other:5432/database`. */
  readonly url: string
  /** Connections of this process at most; 10. */
  readonly connections?: number
  /** Pieces of work that may wait for a connection; 1,000. The next is refused with 503. */
  readonly maxWaiting?: number
  /** How long a piece of work waits for a connection, in milliseconds; 2,000. */
  readonly patienceMs?: number
  /** Whether the database holds tenants apart too; true. */
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
 * Throws when no host takes writes, or the schema is newer than this program.
 */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { url, connections: size = 10, maxWaiting = 1_000, patienceMs = 2_000, hooks = {} } = options
  const connections = new Connections({ url: parsePostgresUrl(url), hooks, size, maxWaiting, patienceMs })
  const { rowLevelSecurity = true } = options
  try {
    if (options.migrate ?? true) {
      await migrate(postgresSchema(connections, rowLevelSecurity), options.migrations ?? allMigrations, Date.now())
    }
    return new PostgresStorage(connections, rowLevelSecurity, options.onError ?? reportOnStandardError)
  } catch (error) {
    await connections.close()
    throw error
  }
}

/** How often work that lost against another, or lost its connection, runs again before that is told. */
const attemptsAtMost = 15
const longestPauseMs = 50

/** Runs work in transactions of one reach. */
class PostgresExecutor implements Executor {
  readonly #connections: Connections
  readonly #frame: Omit<Frame, 'readOnly'>
  readonly #onError: (error: unknown) => void

  constructor(connections: Connections, frame: Omit<Frame, 'readOnly'>, onError: (error: unknown) => void) {
    this.#connections = connections
    this.#frame = frame
    this.#onError = onError
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#repeat(() =>
      this.#connections.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, { ...this.#frame, readOnly: true })
        try {
          return await work(transaction)
        } finally {
          // Nobody waits for the end of a read: whatever comes next on the connection comes behind it.
          transaction.rollback()
        }
      }),
    )
  }

  write<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.#repeat(async () => {
      const { value, followers } = await this.#connections.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, { ...this.#frame, readOnly: false })
        const value = await this.#run(transaction, work)
        await transaction.commit()
        return { value, followers: transaction.followers }
      })
      for (const then of followers) this.#follow(then)
      return value
    })
  }

  /** Beginning, statement and COMMIT travel together. */
  effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    return this.#repeat(() =>
      this.#connections.use(async (connection) => {
        const beginning = beginningOf(connection, { ...this.#frame, readOnly: false })
        const answer = connection.send(statement, parameters)
        const end = connection.execute('COMMIT')
        end.catch(() => {})
        // The COMMIT is on its way: a connection lost from here on leaves open whether it arrived.
        const [effect] = await Promise.all([answer, ...beginning]).catch(throwUnknown)
        await requireCommitted(end)
        return toEffect<Row>(effect)
      }),
    )
  }

  async #run<T>(transaction: PostgresTransaction, work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    try {
      const value = await work(transaction)
      transaction.end()
      return value
    } catch (error) {
      endQuietly(transaction)
      await transaction.rollback()
      throw error
    }
  }

  /** Runs work again that left no trace: it lost against another transaction, or its connection before the COMMIT. */
  async #repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const mayRepeat = error instanceof WriteConflict || failureOf(error) !== 'other'
        if (!mayRepeat || attempt === attemptsAtMost) throw error
        await delay(Math.random() * Math.min(2 ** attempt, longestPauseMs))
      }
    }
  }

  #follow(then: () => void): void {
    try {
      then()
    } catch (error) {
      this.#onError(error)
    }
  }
}

const now = systemStatement<{ now: number }>(
  'postgres.now',
  'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
)
const ping = systemStatement('postgres.ping', 'SELECT id FROM schema_migrations LIMIT 1')

/** A pool of connections to one database. */
class PostgresStorage implements Storage {
  readonly system: SystemStores
  readonly #connections: Connections
  readonly #rowLevelSecurity: boolean
  readonly #onError: (error: unknown) => void
  readonly #executor: PostgresExecutor
  #closed: Promise<void> | null = null

  constructor(connections: Connections, rowLevelSecurity: boolean, onError: (error: unknown) => void) {
    this.#connections = connections
    this.#rowLevelSecurity = rowLevelSecurity
    this.#onError = onError
    this.#executor = this.#executorFor('system')
    this.system = systemStores(this.#executor, claimUnlocked)
  }

  gate(keyId: string, sessionId: string | null): Promise<Gate | null> {
    return this.#executor.read((sql) => findGate(sql, keyId, sessionId))
  }

  forTenant(tenantId: string): TenantStorage {
    return new PostgresTenantStorage(this.#executorFor({ tenantId }), tenantId)
  }

  now(): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(now))!.now)
  }

  async ping(): Promise<void> {
    await this.#executor.read(async (sql) => sql.row(ping))
  }

  close(): Promise<void> {
    this.#closed ??= this.#connections.close()
    return this.#closed
  }

  #executorFor(reach: Reach): PostgresExecutor {
    return new PostgresExecutor(this.#connections, { reach, rowLevelSecurity: this.#rowLevelSecurity }, this.#onError)
  }
}

class PostgresTenantStorage extends PostgresTenantStores implements TenantStorage {
  readonly #executor: PostgresExecutor

  constructor(executor: PostgresExecutor, tenantId: string) {
    super(executor, tenantId)
    this.#executor = executor
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#executor.write((transaction) => work(new PostgresTx(transaction, this.tenantId)))
  }
}

class PostgresTx extends PostgresTenantStores implements Tx {
  readonly #transaction: PostgresTransaction

  constructor(transaction: PostgresTransaction, tenantId: string) {
    super(transaction, tenantId)
    this.#transaction = transaction
  }

  onCommit(then: () => void): void {
    this.#transaction.onCommit(then)
  }
}

/** What the server itself refuses it has rolled back; a socket that broke tells nothing. */
function throwUnknown(error: unknown): never {
  throw failureOf(error) === 'connection' && !isServerError(error) ? new OutcomeUnknown(error) : error
}

function endQuietly(transaction: PostgresTransaction): void {
  try {
    transaction.end()
  } catch {
    // The work's own error says more.
  }
}

function reportOnStandardError(error: unknown): void {
  process.stderr.write(`A callback that follows a commit failed: ${error instanceof Error ? error.stack : error}\n`)
}
