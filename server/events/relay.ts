import type { FastifyBaseLogger } from 'fastify'
import { BackgroundLoop } from '../core/background-loop.ts'
import type { Clock } from '../core/clock.ts'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import type { CheckpointKeys } from './checkpoint-keys.ts'
import type { EventSealing, Sealing } from './event-sealing.ts'
import { LogSealing } from './log-sealing.ts'
import { onRecorded } from './recorded.ts'
import { sealBatchWith } from './seal-batch.ts'

export interface EventRelayOptions {
  readonly sealing: EventSealing
  readonly keys: CheckpointKeys
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'error'>
  /** Writes that wait for the database. */
  readonly waiting: () => number
  /** The percentage of the writer's time that sealing takes while other writes wait. Default: 5. */
  readonly share?: number
  /** Called after each transaction; must not throw. */
  readonly onSealed?: (sealing: Sealing) => void
  /** How long `stop` goes on sealing. 1 s by default: the shutdown has other work to finish. */
  readonly drainTimeoutMs?: number
}

export const defaultEventShare = 5
/** Events of a transaction. */
const batchSize = 1_000
/** While other writes wait, which a transaction delays. */
const smallBatchSize = 100
/** Events that this process records within this time are sealed together, so that there are fewer signatures. */
const gatherMs = 100
/** Sealing takes the time that it needs when the oldest queued event is older. */
const mostLagMs = 60_000
const defaultDrainTimeoutMs = 1_000

/**
 * Moves queued events to the sealed logs and signs each batch: docs/decisions/0042-sealed-event-log.md. Any process seals
 * the events of all.
 */
export class EventRelay {
  readonly #options: EventRelayOptions
  readonly #loop: BackgroundLoop
  readonly #repeated = createRepeatedLines()
  readonly #logs: LogSealing
  /** How many milliseconds without sealing follow each one with it, while other writes wait. */
  readonly #rest: number
  readonly #watchers = new Set<() => void>()
  #gathering: NodeJS.Timeout | null = null
  #unsubscribe = () => {}
  /** Other writes waited when it was last looked. */
  #isCrowded = false
  /** No transaction begins before, by the monotonic clock. */
  #restsUntil = 0
  /** The last transaction was full. */
  #mayHaveMore = false
  /** `stop` has yet to look for queued events. */
  #mustLook = false

  constructor(options: EventRelayOptions) {
    this.#options = options
    this.#logs = new LogSealing(options.sealing, options.logger)
    this.#rest = 100 / (options.share ?? defaultEventShare) - 1
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
    const restMs = this.#restsUntil - performance.now()
    if (restMs > 0 && !this.#isUrgent) return restMs
    const { sealing, clock, keys, onSealed } = this.#options
    // A read, so that an idle process neither writes nor creates a key.
    if (!this.#mayHaveMore && (await sealing.depth(1)).events === 0) {
      this.#mustLook = false
      return 'idle'
    }
    this.#look()
    const most = this.#isCrowded && !this.#isUrgent ? smallBatchSize : batchSize
    const now = clock.now()
    const signer = await keys.signer(now)
    const { mayHaveMore, ...sealed } = await this.#logs.seal(most, sealBatchWith(signer, now))
    onSealed?.(sealed)
    if (sealed.events > 0) for (const sealedSome of this.#watchers) sealedSome()
    const isLate = sealed.oldest !== null && now - sealed.oldest >= mostLagMs
    // Writes that began to wait meanwhile count too.
    if (!this.#isCrowded) this.#look()
    this.#restsUntil = this.#isCrowded && !isLate ? performance.now() + sealed.heldMs * this.#rest : 0
    this.#mayHaveMore = mayHaveMore
    this.#mustLook = false
    return this.#mayHaveMore ? 'more' : 'idle'
  }

  /** `drain` and `stop` wait. */
  get #isUrgent(): boolean {
    return this.#loop.isDraining || this.#loop.isStopped
  }

  #look(): void {
    this.#isCrowded = this.#options.waiting() > 0
  }

  #failed(error: unknown): void {
    const suppressed = this.#repeated('events')
    if (suppressed === null) return
    const counted = suppressed > 0 && { suppressed }
    this.#options.logger.error({ ...counted, err: error }, 'failed to seal events; retrying')
  }
}
