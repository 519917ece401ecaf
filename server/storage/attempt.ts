import type { Awaitable, Effect, Executor, Parameter, Sql } from './database.ts'
import type { Statement } from './statement.ts'

/**
 * One run of a piece of work inside a transaction, on either engine. After a failed statement it cannot commit, even if
 * the work catches the error.
 */
export abstract class Attempt implements Sql, Executor {
  readonly #commitCallbacks: (() => void)[] = []
  #refusal: unknown = null
  #callsUnderWay = 0
  #ended = false

  abstract readonly nestsWrites: boolean
  abstract readonly hasRowIds: boolean
  abstract rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row[]>
  abstract row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row | null>
  abstract run(statement: Statement, ...parameters: Parameter[]): Awaitable<number>
  abstract effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>>

  async append(statement: Statement, ...parameters: Parameter[]): Promise<void> {
    await this.run(statement, ...parameters)
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.write(work)
  }

  /** Runs in this transaction: there is nothing to begin or to commit. */
  async write<T>(work: (sql: Sql & Executor) => Promise<T>): Promise<T> {
    this.requireOpen()
    this.#callsUnderWay++
    try {
      return await work(this)
    } finally {
      this.#callsUnderWay--
    }
  }

  onCommit(then: () => void): void {
    this.requireOpen()
    this.#commitCallbacks.push(then)
  }

  /** Callbacks to run after the commit. */
  get commitCallbacks(): readonly (() => void)[] {
    return this.#commitCallbacks
  }

  /** Rejects all further calls; throws when the transaction must not commit. */
  end(): void {
    const refusal =
      this.#refusal ??
      (this.#callsUnderWay > 0
        ? new Error('the transaction ended while one of its calls was running; await every call')
        : null)
    this.#ended = true
    if (refusal !== null) throw refusal
  }

  /** As `end`, for an attempt whose work has failed: the error of the work itself says more. */
  endQuietly(): void {
    try {
      this.end()
    } catch {
      // The work has thrown already.
    }
  }

  /** Throws the first error of a statement, or an error that the transaction has ended. */
  protected requireOpen(): void {
    if (this.#ended) throw new Error('the transaction has ended; its stores can no longer be used')
    if (this.#refusal !== null) throw this.#refusal
  }

  /**
   * Records the error of the first statement that failed. Later statements fail because of it, and get it too: only the
   * first error tells whether the work may be retried.
   */
  protected doom(error: unknown): unknown {
    this.#refusal ??= error
    return this.#refusal
  }
}
