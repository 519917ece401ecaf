import type { Sql } from '../database.ts'
import type { SqliteConnection } from './connection.ts'
import type { DiskHealth } from './disk-health.ts'
import { ReadSnapshot } from './read-snapshot.ts'
import { retryWhileBusy } from './sqlite-error.ts'

interface Waiting {
  readonly work: (sql: Sql) => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group read: reads that wait when the event loop turns share one read transaction. They see one snapshot, taken after
 * all of them were requested, and the locks of the write-ahead log are taken once for the group.
 */
export class GroupRead {
  readonly snapshot: ReadSnapshot
  readonly #busyTimeoutMs: number
  readonly #health: DiskHealth
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | null = null

  constructor(connection: SqliteConnection, busyTimeoutMs: number, health: DiskHealth) {
    this.snapshot = new ReadSnapshot(connection)
    this.#busyTimeoutMs = busyTimeoutMs
    this.#health = health
  }

  /**
   * Resolves with the result of the work, which awaits only `sql`.
   * @throws DatabaseUnavailable when the file cannot be read
   */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when all accepted reads are answered. */
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
        alone.resolve((await retryWhileBusy(this.#busyTimeoutMs, () => alone.work(this.snapshot))) as never)
        return
      }
      // Readers only meet a lock when a process died during a write and another one recovers the write-ahead log.
      await retryWhileBusy(this.#busyTimeoutMs, () => this.snapshot.begin())
      await Promise.all(
        group.map(({ work, resolve, reject }) => work(this.snapshot).then(resolve as never, refuse(reject))),
      )
      this.snapshot.end()
    } catch (error) {
      for (const { reject } of group) refuse(reject)(error)
    }
  }
}
