import type { Sql } from '../database.ts'
import type { SqliteConnection } from './connection.ts'
import type { DiskHealth } from './disk-health.ts'
import { retryWhileBusy } from './sqlite-error.ts'

interface Waiting {
  readonly work: (sql: Sql) => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads that are waiting when the event loop turns run in one read transaction: one snapshot, taken after all of them
 * were asked, and the log's locks taken once instead of once a read. Their answers go out together, too.
 */
export class GroupRead {
  readonly #connection: SqliteConnection
  readonly #busyTimeoutMs: number
  readonly #health: DiskHealth
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | null = null

  constructor(connection: SqliteConnection, busyTimeoutMs: number, health: DiskHealth) {
    this.#connection = connection
    this.#busyTimeoutMs = busyTimeoutMs
    this.#health = health
  }

  /**
   * Resolves with what the work reads; it awaits nothing but `sql`.
   * @throws DatabaseUnavailable when the file cannot be read
   */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when those it took are answered. */
  async close(): Promise<void> {
    await this.#running
  }

  async #drain(): Promise<void> {
    do {
      await new Promise<void>((turn) => setImmediate(turn))
      await this.#runGroup(this.#waiting.splice(0))
    } while (this.#waiting.length > 0)
    this.#running = null
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const refuse = (reject: (error: unknown) => void) => (error: unknown) => reject(this.#health.refusalOf(error))
    try {
      const [alone] = group
      if (alone !== undefined && group.length === 1) {
        alone.resolve((await retryWhileBusy(this.#busyTimeoutMs, () => alone.work(this.#connection))) as never)
        return
      }
      // A reader waits only where a process died while writing and another is just repairing the log's index.
      await retryWhileBusy(this.#busyTimeoutMs, () => this.#connection.beginRead())
      await Promise.all(
        group.map(({ work, resolve, reject }) => work(this.#connection).then(resolve as never, refuse(reject))),
      )
      this.#connection.rollback()
    } catch (error) {
      for (const { reject } of group) refuse(reject)(error)
    }
  }
}
