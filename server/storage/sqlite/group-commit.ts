import { WriteConflict } from '../storage.ts'
import type { SqliteConnection } from './connection.ts'
import { type DiskHealth, unavailable } from './disk-health.ts'
import { backOff, isBusy, isSyncFailure, SqliteFault } from './sqlite-error.ts'
import { WriteAttempt } from './write-attempt.ts'
import { WriteBacklog } from './write-backlog.ts'

/** A piece of work; it may run more than once and awaits nothing but the attempt. */
export type Work<T> = (attempt: WriteAttempt) => Promise<T>

/** How groups are made. */
export interface GroupCommitOptions {
  /** How many pieces of work share a COMMIT at most: they hold the event loop together. */
  readonly groupSize: number
  /** How long a write waits while another process holds the lock, in milliseconds. */
  readonly busyTimeoutMs: number
  /** Knows what the disk did wrong so far. */
  readonly health: DiskHealth
  /** Told what `onCommit` callbacks throw: by then the commit has happened and nobody else can be. */
  readonly onError: (error: unknown) => void
}

interface Job {
  readonly work: Work<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly since: number
}

type Outcome = { readonly value: unknown; readonly followers: readonly (() => void)[] } | { readonly error: unknown }

/** How often work that lost against another write runs again before its WriteConflict is told. */
const attemptsOnConflict = 5

/**
 * Group commit: the writes that are waiting when the event loop turns run one after another, each undoable by itself,
 * inside one transaction; nobody hears of success or refusal before its COMMIT, as either may rest on what another
 * wrote. As durable as a COMMIT each, at a fraction of the cost.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  readonly #options: GroupCommitOptions
  readonly #queue: Job[] = []
  #running: Promise<void> | null = null
  #closed = false
  readonly #backlog: WriteBacklog
  #giveUp: (() => void) | null = null
  #writes = 0
  #commits = 0

  constructor(connection: SqliteConnection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
    this.#backlog = new WriteBacklog(options.groupSize, options.busyTimeoutMs)
  }

  /**
   * Resolves or rejects as the work does, once that is durable.
   * @throws DatabaseUnavailable when it was not done: the disk is full or failing, another process keeps the lock, or too
   * many writes wait
   * @throws OutcomeUnknown when COMMIT failed and may have been done
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

  /** Writes that wait for a group; and groups that were committed, with the writes in them, so far. */
  get usage(): { readonly waiting: number; readonly writes: number; readonly commits: number } {
    return { waiting: this.#queue.length, writes: this.#writes, commits: this.#commits }
  }

  /** Takes no more writes, and resolves when those it took are answered. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  /** Why no further write is taken; null while writes are. */
  #refusal(): Error | null {
    const { fault, failure } = this.#options.health
    if (failure !== null) return unavailable(fault!)
    const seconds = this.#backlog.refusedFor(this.#queue.length)
    if (seconds === null) return null
    return unavailable(new SqliteFault('locked', undefined, 'too many writes wait for the disk'), seconds)
  }

  async #drain(): Promise<void> {
    do {
      await new Promise<void>((turn) => setImmediate(turn))
      if (await this.#begin()) await this.#runGroup(this.#queue.splice(0, this.#options.groupSize))
      const { failure, fault } = this.#options.health
      if (failure !== null) for (const job of this.#queue.splice(0)) job.reject(unavailable(fault!))
    } while (this.#queue.length > 0)
    this.#running = null
  }

  /** Takes the write lock; false when it could not, and those who can't wait any longer have been told. */
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
    const watch = this.#watchForForeignWaits()
    const begun = performance.now()
    let committing = false
    try {
      for (const job of group) outcomes.push(await this.#run(job.work))
      committing = true
      this.#connection.commit()
    } catch (error) {
      const { health } = this.#options
      const refusal = committing ? health.commitRefusalOf(error) : health.refusalOf(error)
      this.#rollback(error)
      // Those whose turn never came lost nothing: they go first in the next group.
      const tried = Math.min(outcomes.length + 1, group.length)
      this.#queue.unshift(...group.slice(tried))
      for (const job of group.slice(0, tried)) job.reject(refusal)
      return
    } finally {
      watch.stop()
    }
    this.#backlog.noteGroup(performance.now() - begun)
    this.#commits++
    this.#writes += group.length
    for (const outcome of outcomes) if ('value' in outcome) for (const then of outcome.followers) this.#follow(then)
    for (const [index, outcome] of outcomes.entries()) {
      const { resolve, reject } = group[index]!
      if ('value' in outcome) resolve(outcome.value as never)
      else reject(this.#options.health.refusalOf(outcome.error))
    }
  }

  /** What became of one piece of work; throws only when the whole transaction is lost. */
  async #run(work: Work<unknown>): Promise<Outcome> {
    for (let attempts = 1; ; attempts++) {
      const attempt = new WriteAttempt(this.#connection)
      this.#connection.beginWork()
      try {
        const value = await this.#settle(work, attempt)
        attempt.end()
        this.#connection.keepWork()
        return { value, followers: attempt.followers }
      } catch (error) {
        closeQuietly(attempt)
        // A full disk or a failing one makes SQLite roll everything back, the others' work too.
        if (!this.#connection.inTransaction) throw error
        this.#connection.undoWork()
        if (!(error instanceof WriteConflict) || attempts === attemptsOnConflict) return { error }
      }
    }
  }

  /** The work's end, or an error when it waits for something that is not its attempt. */
  #settle(work: Work<unknown>, attempt: WriteAttempt): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () =>
        reject(new Error('A transaction waited for something other than its own stores, and was rolled back'))
      work(attempt).then(resolve, reject)
    })
  }

  /**
   * The connection's statements answer at once, so a whole group runs before the event loop turns; when it turns, the
   * work under way waits for something else, and with it all others would.
   */
  #watchForForeignWaits(): { stop(): void } {
    let immediate = setImmediate(
      function turned(this: GroupCommit) {
        this.#giveUp?.()
        immediate = setImmediate(turned.bind(this))
      }.bind(this),
    )
    return {
      stop: () => {
        clearImmediate(immediate)
        this.#giveUp = null
      },
    }
  }

  #rollback(cause: unknown): void {
    const { health } = this.#options
    if (isSyncFailure(cause)) health.fail(cause)
    try {
      this.#connection.rollback()
    } catch (error) {
      health.fail(error, 'a transaction could not be rolled back; writes stop until the server is restarted')
    }
  }

  #follow(then: () => void): void {
    try {
      then()
    } catch (error) {
      this.#options.onError(error)
    }
  }
}

function closeQuietly(attempt: WriteAttempt): void {
  try {
    attempt.end()
  } catch {
    // The work's own error says more.
  }
}
