import { runCommitCallbacks } from '../commit-callbacks.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { SqliteConnection } from './connection.ts'
import { type DiskHealth, unavailable } from './disk-health.ts'
import type { FileSync } from './file-sync.ts'
import { GroupRun, type Outcome, SavepointMissing, type Work } from './group-run.ts'
import type { ReadSnapshot } from './read-snapshot.ts'
import { backOff, isBusy, isSyncFailure, SqliteFault } from './sqlite-error.ts'
import { WriteBacklog } from './write-backlog.ts'

interface GroupCommitOptions {
  /** The maximum number of jobs that share a COMMIT. A group blocks the event loop while it runs. */
  readonly groupSize: number
  /** How long a write waits while another process holds the write lock, in milliseconds. */
  readonly busyTimeoutMs: number
  readonly health: DiskHealth
  /** For a connection whose COMMIT does not sync; default: it does. */
  readonly durability?: Durability
}

/** What makes a commit durable, what must not show it before, and what keeps the log short. */
interface Durability {
  readonly log: FileSync
  readonly reads: ReadSnapshot
  readonly checkpoints: Checkpointer
}

interface Job {
  readonly work: Work<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly since: number
}

/**
 * Group commit: writes that wait when the event loop turns run one after another in one transaction. Savepoints would cost
 * a copy of each page that is written, so a group has none at first. When a job fails after it has written, the group is
 * rolled back and runs again with a savepoint for each job.
 *
 * Callers get a result or an error only after COMMIT, because either may depend on another job's writes. As durable as
 * one COMMIT for each write, at a fraction of the cost.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  readonly #options: GroupCommitOptions
  readonly #queue: Job[] = []
  #running: Promise<void> | null = null
  #closed = false
  readonly #backlog: WriteBacklog
  /** Whether the next group runs with savepoints. */
  #savepoints = false
  #writes = 0
  #commits = 0

  constructor(connection: SqliteConnection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
    this.#backlog = new WriteBacklog(options.groupSize, options.busyTimeoutMs)
  }

  /**
   * Settles as the work does, once that is durable.
   * @throws DatabaseUnavailable when nothing was done: the disk is full or failing, another process holds the lock, or
   * too many writes wait
   * @throws OutcomeUnknown when COMMIT failed and the transaction may be committed
   */
  write<T>(work: Work<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The storage is closed'))
    const refusal = this.#refusal()
    if (refusal !== null) return Promise.reject(refusal)
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject, since: performance.now() })
      this.#running ??= this.#drain()
    })
  }

  /** Writes that wait, and the writes and COMMITs so far. */
  get usage(): { readonly waiting: number; readonly writes: number; readonly commits: number } {
    return { waiting: this.#queue.length, writes: this.#writes, commits: this.#commits }
  }

  /** Accepts no more writes, and resolves when all accepted writes are answered. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  /** Why a new write is refused; null when it is accepted. */
  #refusal(): Error | null {
    const { fault, failure } = this.#options.health
    if (failure !== null) return unavailable(fault!)
    const seconds = this.#backlog.refusedFor(this.#queue.length)
    if (seconds === null) return null
    return unavailable(
      new SqliteFault('locked', undefined, 'too many writes wait for the disk; reduce the load or use a faster disk'),
      seconds,
    )
  }

  async #drain(): Promise<void> {
    do {
      await new Promise<void>((turn) => setImmediate(turn))
      if (await this.#begin()) await this.#runGroup(this.#queue.splice(0, this.#options.groupSize))
      await this.#options.durability?.checkpoints.afterCommit()
      const { failure, fault } = this.#options.health
      if (failure !== null) for (const job of this.#queue.splice(0)) job.reject(unavailable(fault!))
    } while (this.#queue.length > 0)
    this.#running = null
  }

  /** Takes the write lock. When it is not available, rejects jobs that waited too long and returns false. */
  async #begin(): Promise<boolean> {
    try {
      this.#connection.begin()
      this.#backlog.noteLock(true, 0)
      return true
    } catch (error) {
      const now = performance.now()
      this.#backlog.noteLock(!isBusy(error), now)
      const waitedSince = isBusy(error) ? now - this.#options.busyTimeoutMs : Number.POSITIVE_INFINITY
      const { health } = this.#options
      while (this.#queue.length > 0 && this.#queue[0]!.since < waitedSince) {
        const seconds = isBusy(error) ? this.#backlog.lockSeconds(now) : undefined
        this.#queue.shift()!.reject(health.refusalOf(error, seconds))
      }
      if (this.#queue.length > 0) await backOff()
      return false
    }
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    const outcomes: Outcome[] = []
    const run = new GroupRun(this.#connection, this.#savepoints)
    this.#savepoints = false
    const startedAt = performance.now()
    let committing = false
    try {
      for (const job of group) outcomes.push(await run.run(job.work))
      run.stop()
      const durability = run.hasWritten ? this.#options.durability : undefined
      durability?.reads.pin()
      committing = true
      await this.#commit(durability)
    } catch (error) {
      if (error instanceof SavepointMissing) return this.#runAgain(group, error)
      const { health } = this.#options
      const refusal = committing ? health.commitRefusalOf(error) : health.refusalOf(error)
      this.#rollback(error)
      // Jobs that have not run yet are not affected. They come first in the next group.
      const tried = Math.min(outcomes.length + 1, group.length)
      this.#queue.unshift(...group.slice(tried))
      for (const job of group.slice(0, tried)) job.reject(refusal)
      return
    } finally {
      run.stop()
    }
    this.#backlog.noteGroup(performance.now() - startedAt)
    this.#commits++
    this.#writes += group.length
    for (const outcome of outcomes) if ('value' in outcome) runCommitCallbacks(outcome.callbacks)
    for (const [index, outcome] of outcomes.entries()) {
      const { resolve, reject } = group[index]!
      if ('value' in outcome) resolve(outcome.value as never)
      else reject(this.#options.health.refusalOf(outcome.error))
    }
  }

  /**
   * Resolves when the transaction is durable. Reads see it only then. When the sync fails they never do, because the
   * process ends.
   */
  async #commit(durability: Durability | undefined): Promise<void> {
    try {
      this.#connection.commit()
    } catch (error) {
      durability?.reads.unpin()
      throw error
    }
    await durability?.log.run()
    durability?.reads.unpin()
  }

  /** Undoes the group. Its jobs come first in the next group, which runs with savepoints. */
  #runAgain(group: readonly Job[], cause: unknown): void {
    this.#rollback(cause)
    this.#queue.unshift(...group)
    this.#savepoints = true
  }

  #rollback(cause: unknown): void {
    const { health } = this.#options
    if (isSyncFailure(cause)) health.fail(cause)
    try {
      this.#connection.rollback()
    } catch (error) {
      health.fail(error, 'rollback failed; writes are refused until the server is restarted')
    }
  }
}
