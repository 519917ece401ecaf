import type { Awaitable, Effect, Executor, Parameter, Sql } from './database.ts'
import type { Statement } from './statement.ts'

/**
 * One run of a piece of work inside a transaction, whatever the engine. A statement that failed has doomed it: whatever
 * the work makes of the error, nothing of it is kept.
 */
export abstract class Attempt implements Sql, Executor {
  readonly #followers: (() => void)[] = []
  #refusal: unknown = null
  #callsUnderWay = 0

  abstract rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row[]>
  abstract row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row | null>
  abstract run(statement: Statement, ...parameters: Parameter[]): Awaitable<number>
  abstract effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>>

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.write(work)
  }

  /** Part of the transaction: there is nothing to begin or to commit. */
  async write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
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
    this.#followers.push(then)
  }

  /** What to call once it is committed. */
  get followers(): readonly (() => void)[] {
    return this.#followers
  }

  /** Nothing more is taken from here on; throws when what was done must not be kept. */
  end(): void {
    const refusal =
      this.#refusal ??
      (this.#callsUnderWay > 0 ? new Error('A transaction ended before a call it had made: await every call') : null)
    this.#refusal = new Error('This transaction is over: its stores cannot be used any more')
    if (refusal !== null) throw refusal
  }

  /** Throws what doomed it, or that it is over. */
  protected requireOpen(): void {
    if (this.#refusal !== null) throw this.#refusal
  }

  /** A statement failed with this error; those sent behind it fail only because it did. */
  protected doom(error: unknown): unknown {
    this.#refusal ??= error
    return error
  }
}
