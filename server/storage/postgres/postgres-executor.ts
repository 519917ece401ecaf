import { setTimeout as delay } from 'node:timers/promises'
import { runCommitCallbacks } from '../commit-callbacks.ts'
import type { Effect, Executor, Parameter, Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { type ConnectionPool, DatabaseBusy } from './driver/connection-pool.ts'
import { failureOf, NoServerAvailable } from './driver/postgres-error.ts'
import { effect, PostgresReads, PostgresTransaction, type TransactionPreamble } from './transaction.ts'

/** Limits the retries of jobs that would fail every time: a duplicate may be a conflict or just a duplicate. */
const maxAttempts = 15
const maxPauseMs = 50

/** Runs jobs in transactions, and again after conflicts and lost connections. */
export class PostgresExecutor implements Executor {
  readonly nestsWrites: boolean
  readonly hasRowIds = false
  readonly #pool: ConnectionPool
  readonly #preamble: TransactionPreamble
  readonly #onTransaction: () => void

  /** @param onTransaction called after each transaction that may have written */
  constructor(
    pool: ConnectionPool,
    preamble: TransactionPreamble,
    nestsWrites: boolean,
    onTransaction: () => void = () => {},
  ) {
    this.nestsWrites = nestsWrites
    this.#pool = pool
    this.#preamble = preamble
    this.#onTransaction = onTransaction
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#retry((timeoutMs) =>
      this.#pool.share((connection) => work(new PostgresReads(connection, this.#preamble)), timeoutMs),
    )
  }

  write<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.#retry(async (timeoutMs) => {
      const { value, callbacks } = await this.#pool.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, this.#preamble, this.nestsWrites)
        const value = await this.#run(transaction, work)
        await transaction.commit()
        return { value, callbacks: transaction.commitCallbacks }
      }, timeoutMs)
      this.#onTransaction()
      runCommitCallbacks(callbacks)
      return value
    })
  }

  async effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    const result = await this.#retry((timeoutMs) =>
      this.#pool.use((connection) => effect(connection, this.#preamble, statement, parameters), timeoutMs),
    )
    this.#onTransaction()
    return result
  }

  async append(statement: Statement, ...parameters: Parameter[]): Promise<void> {
    await this.effect(statement, ...parameters)
  }

  async #run<T>(transaction: PostgresTransaction, work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    try {
      const value = await work(transaction)
      transaction.end()
      return value
    } catch (error) {
      transaction.endQuietly()
      await transaction.rollback()
      throw error
    }
  }

  /**
   * Runs work again that failed without effect: on a conflict, or because the connection was lost before the COMMIT.
   * @throws DatabaseBusy when it still fails after the acquire timeout, or no server can be used
   */
  async #retry<T>(work: (timeoutMs: number) => Promise<T>): Promise<T> {
    const { acquireTimeoutMs } = this.#pool
    const startedAt = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        // The pause may have taken longer than it should, in a busy process.
        return await work(Math.max(0, acquireTimeoutMs - (performance.now() - startedAt)))
      } catch (error) {
        // Waiting does not help, such as for a wrong password. Nothing was done.
        if (error instanceof NoServerAvailable) throw new DatabaseBusy(error)
        const failure = error instanceof WriteConflict ? 'duplicate' : failureOf(error)
        if (failure === 'other' || (failure === 'duplicate' && attempt === maxAttempts)) throw error
        const pauseMs = Math.random() * Math.min(2 ** attempt, maxPauseMs)
        const isLate = performance.now() - startedAt + pauseMs >= acquireTimeoutMs
        if (failure === 'overload' || isLate) throw failure === 'duplicate' ? error : new DatabaseBusy(error)
        await delay(pauseMs)
      }
    }
  }
}
