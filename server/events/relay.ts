import type { FastifyBaseLogger } from 'fastify'
import { BackgroundLoop } from '../core/background-loop.ts'
import type { Clock } from '../core/clock.ts'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import type { CheckpointKeys } from './checkpoint-keys.ts'
import type { EventSealing, Sealing } from './event-sealing.ts'
import { LogSealing } from './log-sealing.ts'
import { onRecorded } from './recorded.ts'
import { sealBatchWith } from './seal-batch.ts'
import { type LoopTimes, SealingPace } from './sealing-pace.ts'

export interface EventRelayOptions {
  readonly sealing: EventSealing
  readonly keys: CheckpointKeys
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'error'>
  /** Writes that wait for the database. */
  readonly waiting: () => number
  /** The percentage of its time that a busy process spends on sealing. Default: 5. */
  readonly share?: number
  /** For tests; default: those of this process. */
  readonly loopTimes?: () => LoopTimes
  /** Called after each transaction; must not throw. */
  readonly onSealed?: (sealing: Sealing) => void
  /** How long `stop` goes on sealing. 1 s by default: the shutdown has other work to finish. */
  readonly drainTimeoutMs?: number
}

export const defaultEventShare = 5
/** Events of a transaction. */
const usualSize = 1_000
/** While the process is busy with requests, which a transaction delays. */
const smallSize = 100
/** For a backlog, while there are no requests: events that share a page of an index write it once. Takes 0.1 to 0.2 s. */
const largeSize = 8_000
/** Events that this process records within this time are sealed together, so that there are fewer signatures. */
const gatherMs = 100
/** The shortest time between two batches of a queue that does not fill up: a batch is stored for good. */
const batchEveryMs = 500
/** Sealing takes the time that it needs when the oldest queued event is older. */
const mostLagMs = 60_000
const defaultDrainTimeoutMs = 1_000
/** What a transaction takes with its COMMIT, relative to the time without: on SQLite the COMMIT writes the changed pages. */
const withCommit = 1.6

/**
 * Moves queued events to the sealed logs and signs each batch: docs/decisions/0042-sealed-event-log.md. Any process seals
 * the events of all.
 */
export class EventRelay {
  readonly #options: EventRelayOptions
  readonly #loop: BackgroundLoop
  readonly #repeated = createRepeatedLines()
  readonly #logs: LogSealing
  readonly #pace: SealingPace
  readonly #watchers = new Set<() => void>()
  #gathering: NodeJS.Timeout | null = null
  #unsubscribe = () => {}
  /** Events are queued, or the last transaction was full. */
  #mayHaveMore = false
  /** The last transaction succeeded and was full. */
  #wasFull = false
  /** `stop` has yet to look for queued events. */
  #mustLook = false
  /** When this process last sealed events, in milliseconds of the monotonic clock. */
  #sealedAt = Number.NEGATIVE_INFINITY

  constructor(options: EventRelayOptions) {
    this.#options = options
    this.#logs = new LogSealing(options.sealing, options.logger)
    this.#pace = new SealingPace({ ...options, share: options.share ?? defaultEventShare })
    this.#loop = new BackgroundLoop({
      turn: () => this.#turn(),
      onFailure: (error) => this.#failed(error),
      isBusy: () => (this.#mayHaveMore || this.#mustLook) && !this.#loop.drainTimeout.aborted,
      drainTimeoutMs: options.drainTimeoutMs ?? defaultDrainTimeoutMs,
    })
  }

  start(): void {
    if (!this.#loop.isStopped) return
    this.#unsubscribe = onRecorded(() => this.wake())
    this.#loop.start()
  }

  /** Calls `listener` when this process has sealed events; returns how to end that. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }

  /** Seals soon, with the events that are recorded in the meantime. */
  wake(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null
      this.#loop.signal()
    }, gatherMs).unref()
  }

  /** Seals what is queued until the drain timeout is over. Another process seals what is left. */
  async stop(): Promise<void> {
    if (this.#loop.isStopped) return
    this.#unsubscribe()
    clearTimeout(this.#gathering ?? undefined)
    this.#gathering = null
    this.#mustLook = true
    await this.#loop.stop()
  }

  /** Resolves when no event is queued, except in logs that another process is sealing. Works when stopped, too. */
  async drain(): Promise<void> {
    if (!this.#loop.isStopped) return this.#loop.drain()
    while ((await this.#turn()) !== 'idle');
  }

  async #turn(): Promise<'more' | 'idle' | number> {
    const { sealing, clock, keys, onSealed } = this.#options
    if (!this.#mayHaveMore) {
      const restMs = this.#isUrgent ? 0 : this.#sealedAt + batchEveryMs - performance.now()
      if (restMs > 0) return restMs
      // A read, so that an idle process neither writes nor creates a key.
      if ((await sealing.depth(1)).events === 0) {
        this.#mustLook = false
        return 'idle'
      }
    }
    this.#mayHaveMore = true
    const pauseMs = this.#isUrgent ? 0 : this.#pace.pauseMs
    if (pauseMs > 0) return pauseMs
    const most = this.#size
    // A large transaction may be too much for the database: a smaller one follows when it fails.
    this.#wasFull = false
    const now = clock.now()
    const signer = await keys.signer(now)
    const { mayHaveMore, ...sealed } = await this.#logs.seal(most, sealBatchWith(signer, now))
    const isLate = sealed.oldest !== null && now - sealed.oldest >= mostLagMs
    this.#pace.sealed(isLate ? 0 : sealed.heldMs * withCommit)
    onSealed?.(sealed)
    if (sealed.events > 0) {
      this.#sealedAt = performance.now()
      for (const sealedSome of this.#watchers) sealedSome()
    }
    this.#mayHaveMore = mayHaveMore
    this.#wasFull = sealed.events >= most
    this.#mustLook = false
    return this.#mayHaveMore ? 'more' : 'idle'
  }

  get #size(): number {
    if (this.#pace.isCrowded && !this.#isUrgent) return smallSize
    return this.#wasFull && (this.#pace.isQuiet || this.#isUrgent) ? largeSize : usualSize
  }

  /** `drain` and `stop` wait. */
  get #isUrgent(): boolean {
    return this.#loop.isDraining || this.#loop.isStopped
  }

  #failed(error: unknown): void {
    const counted = this.#repeated('events')
    if (counted !== null) this.#options.logger.error({ ...counted, err: error }, 'failed to seal events; retrying')
  }
}
