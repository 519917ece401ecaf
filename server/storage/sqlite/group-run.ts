import { WriteConflict } from '../storage.ts'
import type { SqliteConnection } from './connection.ts'
import { WriteAttempt } from './write-attempt.ts'

/** The work of a job. It may run more than once, and awaits only its attempt. */
export type Work<T> = (attempt: WriteAttempt) => Promise<T>

export type Outcome =
  | { readonly value: unknown; readonly callbacks: readonly (() => void)[] }
  | { readonly error: unknown }

/** A job failed after it had written, and has no savepoint: the transaction must be rolled back. */
export class SavepointMissing extends Error {}

/** How often a job runs before it is rejected with its WriteConflict. */
const maxAttempts = 5

/** Runs the jobs of a group one after another in an open transaction. */
export class GroupRun {
  readonly #connection: SqliteConnection
  readonly #savepoints: boolean
  #hasWritten = false
  #abandon: (() => void) | null = null
  #watch: NodeJS.Immediate

  /** @param savepoints whether each job runs in a savepoint, so that it can be undone alone */
  constructor(connection: SqliteConnection, savepoints: boolean) {
    this.#connection = connection
    this.#savepoints = savepoints
    this.#watch = this.#abandonForeignWaits()
  }

  /**
   * Runs one job. Throws only when the whole transaction is lost.
   * @throws SavepointMissing when the group must run again with savepoints
   */
  async run(work: Work<unknown>): Promise<Outcome> {
    for (let attempts = 1; ; attempts++) {
      const attempt = new WriteAttempt(this.#connection)
      if (this.#savepoints) this.#connection.beginWork()
      try {
        const value = await this.#settle(work, attempt)
        attempt.end()
        if (this.#savepoints) this.#connection.keepWork()
        return { value, callbacks: attempt.commitCallbacks }
      } catch (error) {
        attempt.endQuietly()
        // On a full or failing disk SQLite rolls back the whole transaction, including the other jobs.
        if (!this.#connection.inTransaction) throw error
        if (this.#savepoints) this.#connection.undoWork()
        else if (attempt.hasWritten) throw new SavepointMissing()
        if (!(error instanceof WriteConflict) || attempts === maxAttempts) return { error }
      } finally {
        this.#hasWritten ||= attempt.hasWritten
      }
    }
  }

  /** Whether a job has changed rows, including jobs that were undone: SQLite may write their pages unchanged. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  /** Call when the last job has run. */
  stop(): void {
    clearImmediate(this.#watch)
    this.#abandon = null
  }

  /** Settles as the work does, or rejects when the work awaits anything except its attempt. */
  #settle(work: Work<unknown>, attempt: WriteAttempt): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#abandon = () => reject(new Error('transaction rolled back: it awaited something other than its own stores'))
      work(attempt).then(resolve, reject)
    })
  }

  /**
   * Statements run synchronously, so a whole group runs before the event loop turns. When it does turn, the current job
   * awaits something else, and would make all others wait. It is abandoned.
   */
  #abandonForeignWaits(): NodeJS.Immediate {
    return setImmediate(() => {
      this.#abandon?.()
      this.#watch = this.#abandonForeignWaits()
    })
  }
}
