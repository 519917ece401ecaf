import { setTimeout as delay } from 'node:timers/promises'
import type { Effect, Executor, Parameter, Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { type ConnectionPool, DatabaseBusy } from './driver/connection-pool.ts'
import { failureOf } from './driver/postgres-error.ts'
import { effect, PostgresReads, PostgresTransaction, type TransactionPreamble } from './transaction.ts'

/** How often work runs again that would lose for ever if its loss were no coincidence. */
const attemptsAtMost = 15
const longestPauseMs = 50

/** Runs work in transactions of one reach. */
export class PostgresExecutor implements Executor {
  readonly #connections: ConnectionPool
  readonly #preamble: TransactionPreamble
  readonly #onError: (error: unknown) => void

  constructor(connections: ConnectionPool, preamble: TransactionPreamble, onError: (error: unknown) => void) {
    this.#connections = connections
    this.#preamble = preamble
    this.#onError = onError
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#repeat((acquireTimeoutMs) =>
      this.#connections.share((connection) => work(new PostgresReads(connection, this.#preamble)), acquireTimeoutMs),
    )
  }

  write<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.#repeat(async (acquireTimeoutMs) => {
      const { value, followers } = await this.#connections.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, this.#preamble)
        const value = await this.#run(transaction, work)
        await transaction.commit()
        return { value, followers: transaction.followers }
      }, acquireTimeoutMs)
      for (const then of followers) this.#follow(then)
      return value
    })
  }

  effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    return this.#repeat((acquireTimeoutMs) =>
      this.#connections.use(
        (connection) => effect(connection, this.#preamble, statement, parameters),
        acquireTimeoutMs,
      ),
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

  /**
   * Runs work again that left no trace: it lost against another transaction, or its connection before the COMMIT.
   * @throws DatabaseBusy when it still does after the patience there is
   */
  async #repeat<T>(work: (acquireTimeoutMs: number) => Promise<T>): Promise<T> {
    const { acquireTimeoutMs } = this.#connections
    const begun = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(acquireTimeoutMs - (performance.now() - begun))
      } catch (error) {
        const failure = error instanceof WriteConflict ? 'duplicate' : failureOf(error)
        if (failure === 'other' || (failure === 'duplicate' && attempt === attemptsAtMost)) throw error
        const pauseMs = Math.random() * Math.min(2 ** attempt, longestPauseMs)
        const isLate = performance.now() - begun + pauseMs >= acquireTimeoutMs
        if (failure === 'slow' || isLate) throw failure === 'duplicate' ? error : new DatabaseBusy(error)
        await delay(pauseMs)
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

function endQuietly(transaction: PostgresTransaction): void {
  try {
    transaction.end()
  } catch {
    // The work's own error says more.
  }
}
