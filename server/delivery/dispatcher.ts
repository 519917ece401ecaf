import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { codeContext } from '../otp/otp.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Courier } from './courier.ts'
import type { Delivery } from './delivery.ts'
import type { ClaimedMessage, InboxEntry, Outbox, Settled, Settlement } from './message.ts'
import { messageText } from './message-text.ts'

/** Carries the outbox to the courier. */
export interface Dispatcher extends Delivery {
  start(): void
  /** Finishes the batch under way. */
  stop(): Promise<void>
  /** Resolves when nothing that is due is left; for tests, which turn the clock. */
  drain(): Promise<void>
}

/** What the dispatcher works with. `owner` tells processes apart. */
export interface DispatcherOptions {
  readonly outbox: Outbox
  readonly keyring: Keyring
  readonly courier: Courier
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  readonly owner: string
}

const batchSize = 200
/** Longer than any attempt takes; a process that dies holding a claim delays its messages by this. */
const leaseMs = 30_000
/** How soon a message queued by another process is noticed. */
const pollMs = 1_000
const firstRetryMs = 1_000
const longestRetryMs = 60_000

const nothing: Settled = { settlements: [], deliveries: [] }

/**
 * Claims due messages under a lease, hands them over, and records how that ended (design 8). While its OTP is pending a
 * message may be sent twice (a process died between sending and recording), never zero times.
 */
export function createDispatcher({ outbox, keyring, courier, clock, logger, owner }: DispatcherOptions): Dispatcher {
  let running: Promise<void> | null = null
  let wanted = false
  let timer: NodeJS.Timeout | undefined
  let stopped = true
  // Kept until it is recorded: if that fails, the next run says it again instead of sending again.
  let unsettled = nothing

  async function attempt(
    message: ClaimedMessage,
    now: number,
  ): Promise<{ settlement: Settlement; entry: InboxEntry | null }> {
    const { id } = message
    const settle = (settlement: Settlement, entry: InboxEntry | null = null) => ({ settlement, entry })
    if (now >= message.expiresAt) return settle({ id, state: 'failed', error: 'It expired before it could be sent' })
    if (message.kind === 'otp' && message.sealedCode === null) return settle({ id, state: 'cancelled' })
    if (message.decoy) return settle({ id, state: 'sent' })
    try {
      const code = openCode(message, keyring)
      const entry = await courier.deliver({ message, code, text: messageText(message, code) }, now)
      return settle({ id, state: 'sent' }, entry)
    } catch (error) {
      return settle(afterFailure(message, error, now))
    }
  }

  function afterFailure(
    { id, tenantId, attempts, expiresAt }: ClaimedMessage,
    error: unknown,
    now: number,
  ): Settlement {
    const type = error instanceof Error ? error.name : typeof error
    logger.warn({ messageId: id, tenantId, attempts, type }, 'a message could not be delivered')
    const retryAt = now + retryDelay(attempts)
    if (type === 'SealBroken')
      return { id, state: 'failed', error: 'The code could not be opened with the master keys' }
    if (retryAt >= expiresAt) return { id, state: 'failed', error: `No attempt succeeded before it expired (${type})` }
    return { id, state: 'queued', error: type, retryAt }
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const now = clock.now()
      const request = { owner, now, leaseUntil: now + leaseMs, batch: stopped ? 0 : batchSize }
      const claimed = await outbox.settleAndClaim(unsettled, request)
      unsettled = nothing
      if (claimed.length === 0) return
      const ends = await Promise.all(claimed.map((message) => attempt(message, now)))
      unsettled = {
        settlements: ends.map(({ settlement }) => settlement),
        deliveries: ends.flatMap(({ entry }) => (entry === null ? [] : [entry])),
      }
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        wanted = false
        await deliverDue()
      } while (wanted)
    } catch (error) {
      logger.error({ err: error }, 'the outbox could not be read: trying again')
    }
  }

  function go(): Promise<void> {
    running ??= run().finally(() => {
      running = null
      if (!stopped) schedule()
    })
    return running
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(go, wanted ? 0 : pollMs).unref()
  }

  return {
    canDeliver: (method) => courier.canDeliver(method),
    wake() {
      if (wanted || stopped) return
      wanted = true
      if (running === null) setImmediate(go)
    },
    start() {
      stopped = false
      void go()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
    async drain() {
      await running
      await go()
    },
  }
}

function openCode({ tenantId, otpId, scope, recipient, sealedCode }: ClaimedMessage, keyring: Keyring): string | null {
  if (sealedCode === null || otpId === null || scope === null) return null
  return keyring.open(sealedCode, codeContext(tenantId, otpId, scope, recipient))
}

/** Doubles from a second to a minute, spread by half so that a recovered provider is not met by all at once. */
function retryDelay(attempts: number): number {
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** attempts)
  return Math.round(delay * (0.75 + Math.random() * 0.5))
}
