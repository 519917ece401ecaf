import type { DeliveryMethod } from '../../contract/otp.ts'
import type { Clock } from '../core/clock.ts'
import { ulid } from '../core/ids.ts'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { type AttemptServices, attemptDelivery, type Cover } from './attempt-delivery.ts'
import type { Delivery } from './delivery.ts'
import { Lanes, type LeasedMessage } from './lanes.ts'
import type { Lease, NewMessage } from './message.ts'
import type { AttemptResult, ClaimedMessage, Outbox } from './outbox.ts'
import { Pauses } from './pauses.ts'
import { RecentAttempts } from './recent-attempts.ts'
import { destinationProblem } from './sms-destination.ts'

export interface OutboxWorkerOptions extends AttemptServices {
  readonly outbox: Outbox
  readonly clock: Clock
  /** Identifies this process in leases. */
  readonly owner: string
  /** Called after a result is committed; must not throw. */
  readonly onRecorded?: (method: DeliveryMethod, state: AttemptResult['state']) => void
  /** How long `stop` waits for messages being sent; later ones are left to another process. 5 s by default. */
  readonly drainTimeoutMs?: number
}

interface FinishedAttempt {
  readonly method: DeliveryMethod
  readonly result: AttemptResult
}

/**
 * The maximum of messages claimed and not recorded, except for messages of full lanes. They occupy memory and no other
 * process can send them. Large enough that the lanes of a few dozen hanging providers leave room for other messages.
 */
const mostHeld = 2_000
/**
 * A tenant with this many messages waiting in a lane gets no more leases for new ones. They stay queued, so that any
 * process can send them and those of other tenants find room here.
 */
const mostWaiting = 128
const batchSize = 200
/** Results per transaction. With a claim they stay below 3,000 rows, which any database accepts. */
const mostRecorded = 1_000
/** Messages of one tenant and method sent in parallel. */
const laneWidth = 16
/** When a process crashes, its messages are delayed by this. */
const leaseMs = 60_000
/** An attempt only starts if its lease lasts this long, which is longer than an attempt takes. */
const attemptMs = 30_000
/** With enumeration protection, the message of a password reset waits up to this long. */
const mostPauseMs = 100
const defaultDrainTimeoutMs = 5_000
/** How soon a message queued by another process is noticed. */
const pollMs = 1_000
/** The poll interval while stopping. */
const stoppingPollMs = 10

/**
 * Sends the codes that this process issues, claims other due messages under a lease, and records the results. Delivery is
 * at least once while the one-time password is pending: when a process crashes between sending and recording, the message
 * is sent again.
 *
 * One loop records finished attempts and claims more messages in one transaction, then waits for a finished attempt, a
 * wake-up or the next poll.
 */
export class OutboxWorker implements Delivery {
  readonly #options: OutboxWorkerOptions
  readonly #lanes = new Lanes(laneWidth, (message) => this.#send(message))
  readonly #pauses = new Pauses()
  readonly #cover: Cover
  readonly #repeated = createRepeatedLines()
  #finished: FinishedAttempt[] = []
  #held = 0
  #running: Promise<void> | null = null
  #stopped = true
  #signalled = false
  #claimWanted = true
  /** The last claim left messages behind. */
  #mayHaveMore = false
  #resume = () => {}
  #drainTimeout = new AbortController()
  /** Resolved after a complete turn that found nothing to do. */
  readonly #onIdle: (() => void)[] = []

  constructor(options: OutboxWorkerOptions) {
    this.#options = options
    this.#cover = {
      attempts: new RecentAttempts(),
      pause: async () => {
        if (this.#onIdle.length === 0 && !this.#stopped) await this.#pauses.begin(mostPauseMs)
      },
    }
  }

  canDeliver(method: DeliveryMethod, recipient: string, tenant: TenantSnapshot): boolean {
    return this.#options.transport.canDeliver(method, tenant) && destinationProblem(method, recipient, tenant) === null
  }

  newMessage(tenantId: string, now: number): NewMessage {
    const hasRoom = !this.#stopped && this.#held < mostHeld && this.#lanes.waitingOf(tenantId) < mostWaiting
    return { id: ulid(now), lease: hasRoom ? { owner: this.#options.owner, until: now + leaseMs } : null }
  }

  /** The message is sent after the request that issued it is answered. */
  send(message: ClaimedMessage, lease: Lease | null): void {
    if (lease === null) {
      this.wake()
      return
    }
    this.#held++
    setImmediate(() => this.#lanes.add({ ...message, leaseUntil: lease.until }))
  }

  wake(): void {
    this.#claimWanted = true
    if (!this.#signalled) setImmediate(() => this.#signal())
  }

  start(): void {
    this.#stopped = false
    this.#drainTimeout = new AbortController()
    this.#running ??= this.#run()
  }

  /**
   * Stops claiming, waits until claimed messages are sent or the drain timeout is over, and records the results. What
   * cannot be recorded is sent again by another process.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    const timer = setTimeout(() => this.#drainTimeout.abort(), this.#options.drainTimeoutMs ?? defaultDrainTimeoutMs)
    this.#signal()
    await this.#running
    clearTimeout(timer)
    this.#running = null
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Resolves when no message is due; for tests, which control the clock. */
  drain(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle.push(resolve)
      this.#claimWanted = true
      this.#pauses.endAll()
      this.#signal()
    })
  }

  #signal(): void {
    this.#signalled = true
    this.#resume()
  }

  async #send(message: LeasedMessage): Promise<void> {
    const now = this.#options.clock.now()
    if (now + attemptMs < message.leaseUntil) {
      const result = await attemptDelivery(message, now, this.#options, this.#cover, this.#drainTimeout.signal)
      this.#finished.push({ method: message.deliveryMethod, result })
    } else {
      // It waited too long in its lane. When the lease expires, the message is due again.
      this.#held--
    }
    this.#signal()
  }

  async #run(): Promise<void> {
    while (!this.#stopped || this.#held > 0) {
      this.#signalled = false
      const waiting = this.#onIdle.length
      const turn = await this.#turn().catch((error: unknown) => this.#failed(error))
      // The database may be unavailable for longer than the shutdown may take.
      if (turn === 'failed' && this.#drainTimeout.signal.aborted) break
      if (turn === 'more' || (this.#signalled && turn !== 'failed')) continue
      if (turn === 'idle' && this.#held === 0) for (const resolve of this.#onIdle.splice(0, waiting)) resolve()
      await this.#nextSignal(turn === 'failed')
    }
  }

  /** Records and claims. `more`: there may be more to record or claim immediately. */
  async #turn(): Promise<'more' | 'idle'> {
    const { outbox, owner, clock, onRecorded } = this.#options
    const recording = this.#finished.splice(0, mostRecorded)
    const results = recording.map(({ result }) => result)
    const now = clock.now()
    const leaseUntil = now + leaseMs
    const leaveOut = this.#lanes.full()
    const batch = this.#batchFor(leaveOut, recording.length)
    let claimed: ClaimedMessage[]
    try {
      claimed = await outbox.recordAndClaim(results, { owner, now, leaseUntil, batch, leaveOut })
    } catch (error) {
      // Recorded in the next turn, so that the messages are not sent again.
      this.#finished = [...recording, ...this.#finished]
      throw error
    }
    for (const { method, result } of recording) onRecorded?.(method, result.state)
    this.#held += claimed.length - recording.length
    const isFull = batch > 0 && claimed.length === batch
    this.#claimWanted ||= isFull
    if (batch > 0) this.#mayHaveMore = isFull || leaveOut.length > 0
    for (const message of claimed) this.#lanes.add({ ...message, leaseUntil })
    return isFull || this.#finished.length > 0 ? 'more' : 'idle'
  }

  /** How many messages to claim. */
  #batchFor(leaveOut: readonly string[], recording: number): number {
    // A claim that skips lanes reads past all of their messages, so it is only made when there is something new.
    const mayClaim = !this.#stopped && (this.#claimWanted || (this.#mayHaveMore && leaveOut.length === 0))
    const room = mostHeld + this.#lanes.heldIn(leaveOut) - this.#held + recording
    const batch = mayClaim ? Math.max(0, Math.min(batchSize, room)) : 0
    if (batch > 0) this.#claimWanted = false
    return batch
  }

  #failed(error: unknown): 'failed' {
    const suppressed = this.#repeated('outbox')
    if (suppressed !== null) {
      const counted = suppressed > 0 && { suppressed }
      this.#options.logger.error({ ...counted, err: error }, 'failed to read or write the outbox; retrying')
    }
    return 'failed'
  }

  /**
   * Waits for a finished attempt, a wake-up or the next poll; with `pollOnly`, for the poll alone, so that a failing
   * database is not queried in a tight loop.
   */
  #nextSignal(pollOnly: boolean): Promise<void> {
    return new Promise((resolve) => {
      const poll = () => {
        this.#claimWanted = true
        resolve()
      }
      const timer = setTimeout(poll, this.#stopped && !pollOnly ? stoppingPollMs : pollMs)
      if (pollOnly) return
      timer.unref()
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
