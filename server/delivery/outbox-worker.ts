import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { BackgroundLoop } from '../core/background-loop.ts'
import { ulid } from '../core/ids.ts'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { type AttemptServices, attemptDelivery, type Cover, longestAttemptMs } from './attempt-delivery.ts'
import type { Delivery } from './delivery.ts'
import { Lanes, type LeasedMessage } from './lanes.ts'
import type { Lease, NewMessage } from './message.ts'
import type { AttemptResult, ClaimedMessage, Outbox } from './outbox.ts'
import { Pauses } from './pauses.ts'
import { RecentAttempts } from './recent-attempts.ts'
import { destinationProblem } from './sms-destination.ts'

interface OutboxWorkerOptions extends AttemptServices {
  readonly outbox: Outbox
  /** Identifies this process in leases. */
  readonly owner: string
  /** Called after a result is committed; must not throw. */
  readonly onRecorded?: (method: DeliveryMethod, result: AttemptResult) => void
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
/** A message that is sent this long after it was leased is read again first: its code may be cancelled, its user deleted. */
const freshMs = 100
/** With enumeration protection, the message of a password reset waits up to this long. */
const mostPauseMs = 100

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
  readonly #loop: BackgroundLoop
  #finished: FinishedAttempt[] = []
  #held = 0
  #claimWanted = true
  /** The last claim left messages behind. */
  #mayHaveMore = false

  constructor(options: OutboxWorkerOptions) {
    this.#options = options
    this.#loop = new BackgroundLoop({
      turn: () => this.#turn(),
      onFailure: (error) => this.#failed(error),
      onPoll: () => {
        this.#claimWanted = true
      },
      isBusy: () => this.#held > 0,
      ...(options.drainTimeoutMs !== undefined && { drainTimeoutMs: options.drainTimeoutMs }),
    })
    this.#cover = {
      attempts: new RecentAttempts(),
      pause: async () => {
        if (!this.#loop.isDraining && !this.#loop.isStopped) await this.#pauses.begin(mostPauseMs)
      },
    }
  }

  canDeliver(method: DeliveryMethod, recipient: string, tenant: TenantSnapshot): boolean {
    return this.#options.transport.canDeliver(method, tenant) && destinationProblem(method, recipient, tenant) === null
  }

  newMessage(tenantId: string, now: number): NewMessage {
    const hasRoom = !this.#loop.isStopped && this.#held < mostHeld && this.#lanes.waitingOf(tenantId) < mostWaiting
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
    this.#loop.wake()
  }

  start(): void {
    this.#loop.start()
  }

  /**
   * Stops claiming, waits until claimed messages are sent or the drain timeout is over, and records the results. What
   * cannot be recorded is sent again by another process.
   */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Resolves when no message is due; for tests, which control the clock. */
  drain(): Promise<void> {
    this.#claimWanted = true
    const drained = this.#loop.drain()
    this.#pauses.endAll()
    return drained
  }

  async #send(leased: LeasedMessage): Promise<void> {
    const now = this.#options.clock.now()
    const message = await this.#current(leased, now)
    if (message !== null) {
      const result = await attemptDelivery(message, now, this.#options, this.#cover, this.#loop.drainTimeout)
      this.#finished.push({ method: message.deliveryMethod, result })
    } else {
      this.#held--
    }
    this.#loop.signal()
  }

  /** The message to send now; null for one that is not sent. If it is still leased, it is due again when the lease expires. */
  async #current(message: LeasedMessage, now: number): Promise<ClaimedMessage | null> {
    const { outbox, owner } = this.#options
    const { leaseUntil } = message
    // It waited so long in its lane that the lease could expire during the attempt.
    if (now + longestAttemptMs >= leaseUntil) return null
    if (now < leaseUntil - leaseMs + freshMs) return message
    try {
      return await outbox.readAgain(message, owner, now)
    } catch (error) {
      this.#failed(error)
      return null
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
    for (const { method, result } of recording) onRecorded?.(method, result)
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
    const mayClaim = !this.#loop.isStopped && (this.#claimWanted || (this.#mayHaveMore && leaveOut.length === 0))
    const room = mostHeld + this.#lanes.heldIn(leaveOut) - this.#held + recording
    const batch = mayClaim ? Math.max(0, Math.min(batchSize, room)) : 0
    if (batch > 0) this.#claimWanted = false
    return batch
  }

  #failed(error: unknown): void {
    const counted = this.#repeated('outbox')
    if (counted !== null)
      this.#options.logger.error({ ...counted, err: error }, 'failed to read or write the outbox; retrying')
  }
}
