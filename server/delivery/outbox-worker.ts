import type { DeliveryMethod } from '../../contract/otp.ts'
import type { Clock } from '../core/clock.ts'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import { type AttemptServices, attemptDelivery, type Cover } from './attempt-delivery.ts'
import type { Delivery } from './delivery.ts'
import { Lanes, type LeasedMessage } from './lanes.ts'
import type { AttemptResult, ClaimedMessage, Outbox } from './outbox.ts'
import { Pauses } from './pauses.ts'
import { RecentAttempts } from './recent-attempts.ts'
import { destinationProblem } from './sms-destination.ts'

/** Carries the outbox to the transport. */
export interface OutboxWorker extends Delivery {
  start(): void
  /**
   * Claims nothing more, sends what it holds, in five seconds at most, and records how that ended; what cannot be
   * recorded then is sent again by whoever claims it next.
   */
  stop(): Promise<void>
  /** Resolves when nothing that is due is left; for tests, which turn the clock. */
  drain(): Promise<void>
}

/** What the outbox worker works with. */
export interface OutboxWorkerOptions extends AttemptServices {
  readonly outbox: Outbox
  readonly clock: Clock
  /** Tells processes apart. */
  readonly owner: string
  /** Told how each attempt ended, once that is recorded; must not throw. */
  readonly onRecorded?: (method: DeliveryMethod, state: AttemptResult['state']) => void
  /** How long stopping waits for what is held; what is not sent then is given up, to be sent later. 5 s. */
  readonly drainTimeoutMs?: number
}

/**
 * Messages claimed and not yet recorded, at most, beside those of lanes that are left out: they wait in memory, and
 * nobody else may send them. So many that the lanes of a few dozen hanging senders leave room for the others.
 */
const mostHeld = 2_000
const batchSize = 200
/** Ends recorded in one act: with a row of the inbox each, and a claim, within what any database takes in one (3,000 rows). */
const mostRecorded = 1_000
/** Messages of one tenant and method under way at once. */
const laneWidth = 16
/** A process that dies holding a claim delays its messages by this. */
const leaseMs = 60_000
/** An attempt is begun only while its lease has this much left: longer than an attempt takes. */
const attemptMs = 30_000
/** Under enumeration protection a reset's message waits up to this long: an e-mail takes seconds anyway. */
const mostPauseMs = 100
const defaultDrainTimeoutMs = 5_000
/** How soon a message queued by another process is noticed. */
const pollMs = 1_000

/**
 * Claims due messages under a lease, hands them over, and records how that ended (design 8). While its OTP is pending a
 * message may be sent twice (a process died between sending and recording), never zero times.
 *
 * One loop: record what has ended and claim more, in one act; then wait for an end, a wake or the next poll.
 */
export function createOutboxWorker(options: OutboxWorkerOptions): OutboxWorker {
  const { outbox, clock, logger, owner, transport, drainTimeoutMs = defaultDrainTimeoutMs } = options
  const lanes = new Lanes(laneWidth, send)
  const pauses = new Pauses()
  const cover: Cover = {
    attempts: new RecentAttempts(),
    pause: async () => {
      if (onIdle.length === 0 && !stopped) await pauses.begin(mostPauseMs)
    },
  }
  const repeated = createRepeatedLines()
  let finished: { readonly method: DeliveryMethod; readonly result: AttemptResult }[] = []
  let held = 0
  let running: Promise<void> | null = null
  let stopped = true
  let signalled = false
  let claimWanted = true
  let resume = () => {}
  let givingUp = new AbortController()
  /** Those who wait until a whole turn, begun after they asked, finds nothing to do. */
  const onIdle: (() => void)[] = []

  function signal(): void {
    signalled = true
    resume()
  }

  async function send(message: LeasedMessage): Promise<void> {
    const now = clock.now()
    if (now + attemptMs < message.leaseUntil) {
      const result = await attemptDelivery(message, now, options, cover, givingUp.signal)
      finished.push({ method: message.deliveryMethod, result })
    } else {
      // Waited too long for its turn: the lease is left to lapse, and whoever claims it next sends it.
      held--
    }
    signal()
  }

  /** Records and claims; true when there may be more to record or to claim at once. */
  async function turn(): Promise<boolean> {
    const recording = finished.splice(0, mostRecorded)
    const now = clock.now()
    const leaseUntil = now + leaseMs
    const leaveOut = lanes.full()
    const room = mostHeld + lanes.heldIn(leaveOut) - held + recording.length
    // With lanes left out a claim looks past all that waits for them: not at every end, only when something is new.
    const mayClaim = !stopped && (leaveOut.length === 0 || claimWanted)
    const batch = mayClaim ? Math.max(0, Math.min(batchSize, room)) : 0
    claimWanted = false
    let claimed: ClaimedMessage[]
    try {
      claimed = await outbox.recordAndClaim(
        recording.map(({ result }) => result),
        { owner, now, leaseUntil, batch, leaveOut },
      )
    } catch (error) {
      // Said again with the next turn, instead of sent again.
      finished = [...recording, ...finished]
      throw error
    }
    for (const { method, result } of recording) options.onRecorded?.(method, result.state)
    held += claimed.length - recording.length
    const isFull = batch > 0 && claimed.length === batch
    claimWanted ||= isFull
    for (const message of claimed) lanes.add({ ...message, leaseUntil })
    return isFull || finished.length > 0
  }

  async function run(): Promise<void> {
    while (!stopped || held > 0) {
      signalled = false
      const asked = onIdle.length
      const more = await turn().catch((error: unknown) => {
        const suppressed = repeated('outbox')
        if (suppressed !== null) {
          const counted = suppressed > 0 && { suppressed }
          logger.error({ ...counted, err: error }, 'the outbox could not be read or written: trying again')
        }
        return null
      })
      // The database may be away for longer than anybody waits for a service to end.
      if (more === null && givingUp.signal.aborted) break
      if (more || (signalled && more !== null)) continue
      if (more === false && held === 0) for (const then of onIdle.splice(0, asked)) then()
      await nextSignal(more === null)
    }
  }

  /** The next end, wake or poll; after an error the poll alone, so that a failing storage is not asked without pause. */
  function nextSignal(pollOnly: boolean): Promise<void> {
    return new Promise((resolve) => {
      const poll = () => {
        claimWanted = true
        resolve()
      }
      const timer = setTimeout(poll, stopped && !pollOnly ? 10 : pollMs)
      if (pollOnly) return
      timer.unref()
      resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    canDeliver: (method, recipient, tenant) =>
      transport.canDeliver(method, tenant) && destinationProblem(method, recipient, tenant) === null,
    wake() {
      claimWanted = true
      if (!signalled) setImmediate(signal)
    },
    start() {
      stopped = false
      givingUp = new AbortController()
      running ??= run()
    },
    async stop() {
      stopped = true
      const drainTimeout = setTimeout(() => givingUp.abort(), drainTimeoutMs)
      signal()
      await running
      clearTimeout(drainTimeout)
      running = null
      for (const then of onIdle.splice(0)) then()
    },
    drain() {
      if (stopped) return Promise.resolve()
      return new Promise((resolve) => {
        onIdle.push(resolve)
        claimWanted = true
        pauses.endAll()
        signal()
      })
    },
  }
}
