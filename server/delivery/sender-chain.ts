import type { Clock } from '../clock.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { offerMessage } from './offer-message.ts'
import { type OutboundMessage, PermanentFailure, type Sender, TemporaryFailure } from './sender.ts'

/** Longest that all of them together may take with one message: less than what an attempt has left of its lease. */
const longestMs = 25_000

/** Senders of one method in order of preference. */
export interface SenderChain {
  readonly senders: readonly Sender[]
  /**
   * Offers the message to one after another until one takes it.
   * @param signal fires when the message is to be given up: it may be tried again
   * @returns the name of the sender that did
   * @throws PermanentFailure when every one of them said a final no; TemporaryFailure when trying again may help
   */
  send(message: OutboundMessage, signal?: AbortSignal): Promise<string>
  /** Senders that are left alone after repeated failures. */
  readonly leftAlone: number
  close(): Promise<void>
}

/** A chain, each sender behind a breaker of its own (design 8). */
export function createSenderChain(senders: readonly Sender[], clock: Clock, ms = longestMs): SenderChain {
  const links = senders.map((sender) => ({ sender, breaker: new CircuitBreaker() }))
  return {
    senders,
    async send(message, signal) {
      const problems: (PermanentFailure | TemporaryFailure)[] = []
      const end = performance.now() + ms
      for (const [place, { sender, breaker }] of links.entries()) {
        if (signal?.aborted) {
          problems.push(new TemporaryFailure(`${sender.name}: was not asked any more`))
          break
        }
        if (!breaker.admits(clock.now())) {
          const waitSeconds = Math.ceil((breaker.openUntil - clock.now()) / 1000)
          problems.push(
            new TemporaryFailure(`${sender.name}: left alone for a while after repeated failures`, waitSeconds),
          )
          continue
        }
        const begun = clock.now()
        // However long the first ones hang, the last has its turn.
        const share = (end - performance.now()) / (links.length - place)
        try {
          await offerMessage(sender, message, Math.max(1, Math.floor(share)), signal)
          breaker.succeeded()
          return sender.name
        } catch (error) {
          const now = clock.now()
          problems.push(judge(sender, breaker, error, { begun, now }))
        }
      }
      throw summary(problems)
    },
    get leftAlone() {
      return links.filter(({ breaker }) => breaker.isOpen).length
    },
    async close() {
      await Promise.all(senders.map((sender) => sender.close()))
    },
  }
}

/** A final no about one message says nothing against its sender; everything else counts against it. */
function judge(
  sender: Sender,
  breaker: CircuitBreaker,
  error: unknown,
  { begun, now }: { readonly begun: number; readonly now: number },
): PermanentFailure | TemporaryFailure {
  if (error instanceof PermanentFailure) {
    breaker.succeeded()
    return new PermanentFailure(`${sender.name}: ${error.message}`)
  }
  breaker.failed(now, begun)
  const { message, retryAfterSeconds } = error as TemporaryFailure
  return new TemporaryFailure(`${sender.name}: ${message}`, retryAfterSeconds)
}

function summary(problems: readonly (PermanentFailure | TemporaryFailure)[]): Error {
  const message = problems.map((problem) => problem.message).join('; ') || 'no sender is set up'
  const temporary = problems.filter((problem) => problem instanceof TemporaryFailure)
  if (temporary.length === 0) return new PermanentFailure(message)
  const waits = temporary.map((problem) => problem.retryAfterSeconds ?? 0)
  return new TemporaryFailure(message, Math.min(...waits) || undefined)
}
