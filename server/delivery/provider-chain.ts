import type { Clock } from '../core/clock.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { offerMessage } from './offer-message.ts'
import { PermanentFailure, type Provider, type RenderedMessage, TemporaryFailure } from './provider.ts'

/** Longest that all of them together may take with one message: less than what an attempt has left of its lease. */
const longestMs = 25_000

/** Senders of one method in order of preference. */
export interface ProviderChain {
  readonly providers: readonly Provider[]
  /**
   * Offers the message to one after another until one takes it.
   * @param signal fires when the message is to be given up: it may be tried again
   * @returns the name of the provider that did
   * @throws PermanentFailure when every one of them said a final no; TemporaryFailure when trying again may help
   */
  send(message: RenderedMessage, signal?: AbortSignal): Promise<string>
  /** Senders whose circuit is open. */
  readonly openCircuits: number
  close(): Promise<void>
}

/** A chain, each provider behind a breaker of its own (design 8). */
export function createProviderChain(providers: readonly Provider[], clock: Clock, ms = longestMs): ProviderChain {
  const links = providers.map((provider) => ({ provider, breaker: new CircuitBreaker() }))
  return {
    providers,
    async send(message, signal) {
      const problems: (PermanentFailure | TemporaryFailure)[] = []
      const end = performance.now() + ms
      for (const [place, { provider, breaker }] of links.entries()) {
        if (signal?.aborted) {
          problems.push(new TemporaryFailure(`${provider.name}: was not asked any more`))
          break
        }
        if (!breaker.admits(clock.now())) {
          problems.push(circuitOpen(provider, breaker, clock.now()))
          continue
        }
        const begun = clock.now()
        // However long the first ones hang, the last has its turn.
        const share = (end - performance.now()) / (links.length - place)
        try {
          await offerMessage(provider, message, Math.max(1, Math.floor(share)), signal)
          breaker.succeeded()
          return provider.name
        } catch (error) {
          const now = clock.now()
          problems.push(judge(provider, breaker, error, { begun, now }))
        }
      }
      throw summary(problems)
    },
    get openCircuits() {
      return links.filter(({ breaker }) => breaker.isOpen).length
    },
    async close() {
      await Promise.all(providers.map((provider) => provider.close()))
    },
  }
}

/** The circuit's state stands beside the provider's last words: only those say what to do about it. */
function circuitOpen({ name }: Provider, { openUntil, lastError }: CircuitBreaker, now: number): TemporaryFailure {
  const waitSeconds = Math.ceil((openUntil - now) / 1000)
  if (waitSeconds <= 0)
    return new TemporaryFailure(`${name}: circuit open, trying one message first; last error: ${lastError}`)
  const message = `${name}: circuit open for ${waitSeconds} s; last error: ${lastError}`
  return new TemporaryFailure(message, { retryAfterSeconds: waitSeconds })
}

/** A reply about one message, final or not, does not count against its provider; everything else does. */
function judge(
  { name }: Provider,
  breaker: CircuitBreaker,
  error: unknown,
  { begun, now }: { readonly begun: number; readonly now: number },
): PermanentFailure | TemporaryFailure {
  if (error instanceof PermanentFailure) {
    breaker.answered(begun)
    return new PermanentFailure(`${name}: ${error.message}`)
  }
  const { message, retryAfterSeconds, concerns } = error as TemporaryFailure
  if (concerns === 'message') breaker.answered(begun)
  else breaker.failed(now, begun, message)
  return new TemporaryFailure(`${name}: ${message}`, { retryAfterSeconds, concerns })
}

function summary(problems: readonly (PermanentFailure | TemporaryFailure)[]): Error {
  const message = problems.map((problem) => problem.message).join('; ') || 'no sender is set up'
  const temporary = problems.filter((problem) => problem instanceof TemporaryFailure)
  if (temporary.length === 0) return new PermanentFailure(message)
  const waits = temporary.map((problem) => problem.retryAfterSeconds ?? 0)
  return new TemporaryFailure(message, { retryAfterSeconds: Math.min(...waits) || undefined })
}
