import type { Clock } from '../core/clock.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import {
  PermanentFailure,
  type Provider,
  type ProviderState,
  type RenderedMessage,
  TemporaryFailure,
} from './provider.ts'
import { attemptMs, sendWithTimeout } from './send-with-timeout.ts'
import { Slots } from './slots.ts'

/** The most time that all providers together get for one message; shorter than the lease that an attempt has left. */
const longestMs = 25_000
/** When an attempt ends this much later than its time limit, in milliseconds, this process was suspended or busy. */
const suspendedMs = 1_000

type Failure = PermanentFailure | TemporaryFailure

interface Link {
  readonly provider: Provider
  readonly breaker: CircuitBreaker
  readonly slots: Slots
}

/** Providers of one method in order of preference, each behind its own circuit breaker. */
export class ProviderChain {
  readonly providers: readonly Provider[]
  readonly #links: readonly Link[]
  readonly #clock: Clock
  readonly #ms: number

  constructor(providers: readonly Provider[], clock: Clock, ms = longestMs) {
    this.providers = providers
    this.#links = providers.map((provider) => ({
      provider,
      breaker: new CircuitBreaker(),
      slots: new Slots(provider.connections ?? Number.POSITIVE_INFINITY),
    }))
    this.#clock = clock
    this.#ms = ms
  }

  /** The number of providers whose circuit is open while messages wait for them. */
  get openCircuits(): number {
    const now = this.#clock.now()
    return this.#links.filter(({ breaker }) => breaker.keepsWaiting(now)).length
  }

  /** The circuits of the providers, in order of preference. */
  get states(): ProviderState[] {
    return this.#links.map(({ provider: { name, method }, breaker: { isOpen, openUntil, lastError } }) => ({
      name,
      method,
      circuit: isOpen ? { openUntil, lastError } : null,
    }))
  }

  /**
   * Tries one provider after the other until one accepts the message.
   * @param signal aborts sending; the message may be tried again
   * @returns the name of the provider that accepted it
   * @throws PermanentFailure when every provider rejected it for good; TemporaryFailure when a retry may succeed
   */
  async send(message: RenderedMessage, signal?: AbortSignal): Promise<string> {
    const failures: Failure[] = []
    const end = performance.now() + this.#ms
    for (const [index, link] of this.#links.entries()) {
      if (signal?.aborted || performance.now() >= end) {
        failures.push(new TemporaryFailure(`${link.provider.name}: was not tried`))
        break
      }
      // An equal share of the remaining time, so that the last provider gets its turn when the first ones hang.
      const share = (end - performance.now()) / (this.#links.length - index)
      const failure = await this.#attempt(link, message, share, signal)
      if (failure === null) return link.provider.name
      failures.push(failure)
    }
    throw summary(failures)
  }

  async close(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.close()))
  }

  /**
   * The wait for a free connection does not count as time of the provider. Otherwise many messages at once would be
   * aborted in the middle, arrive all the same and be sent again.
   */
  async #attempt(link: Link, message: RenderedMessage, ms: number, signal?: AbortSignal): Promise<Failure | null> {
    const { provider, breaker, slots } = link
    const now = this.#clock.now()
    if (breaker.refuses(now)) return circuitOpen(provider, breaker, now)
    const end = performance.now() + ms
    if (!slots.take() && !(await slots.wait(ms / 2, signal))) return busy(provider)
    try {
      // After a suspension of this process, a connection can become free before the wait for it ends, long after its time.
      const left = Math.floor(end - performance.now())
      return left < Math.floor(ms / 2) ? busy(provider) : await this.#send(link, message, left, signal)
    } finally {
      slots.giveBack()
    }
  }

  async #send(
    { provider, breaker }: Link,
    message: RenderedMessage,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Failure | null> {
    const begun = this.#clock.now()
    if (!breaker.admits(begun)) return circuitOpen(provider, breaker, begun)
    const lateAfter = performance.now() + Math.min(ms, attemptMs) + suspendedMs
    try {
      await sendWithTimeout(provider, message, ms, signal)
      breaker.succeeded()
      return null
    } catch (error) {
      const failure = error as Failure
      // A process that was suspended has read no answer, and its timers run before it does.
      const saysNothing = signal?.aborted || performance.now() > lateAfter
      if (!saysNothing) return judge(provider, breaker, failure, { begun, now: this.#clock.now() })
      breaker.interrupted(begun)
      return new TemporaryFailure(`${provider.name}: ${failure.message}`, { concerns: 'message' })
    }
  }
}

/** Says nothing about the provider, which is sending other messages. */
const busy = ({ name }: Provider): TemporaryFailure =>
  new TemporaryFailure(`${name}: all its connections are busy with other messages`, { concerns: 'message' })

/** Includes the provider's last error, because only that says what to fix. */
function circuitOpen({ name }: Provider, { openUntil, lastError }: CircuitBreaker, now: number): TemporaryFailure {
  const waitSeconds = Math.ceil((openUntil - now) / 1000)
  if (waitSeconds <= 0)
    return new TemporaryFailure(`${name}: circuit open, trying one message first; last error: ${lastError}`)
  const message = `${name}: circuit open for ${waitSeconds} s; last error: ${lastError}`
  return new TemporaryFailure(message, { retryAfterSeconds: waitSeconds })
}

/** Counts a failure against the provider, unless it concerns this message alone. */
function judge(
  { name }: Provider,
  breaker: CircuitBreaker,
  failure: Failure,
  { begun, now }: { readonly begun: number; readonly now: number },
): Failure {
  if (failure instanceof PermanentFailure) {
    breaker.answered(begun)
    return new PermanentFailure(`${name}: ${failure.message}`)
  }
  const { message, retryAfterSeconds, concerns } = failure
  if (concerns === 'message') breaker.answered(begun)
  else breaker.failed(now, begun, message)
  return new TemporaryFailure(`${name}: ${message}`, { retryAfterSeconds, concerns })
}

function summary(failures: readonly Failure[]): Failure {
  const message = failures.map((failure) => failure.message).join('; ') || 'no sender is set up'
  const temporary = failures.filter((failure) => failure instanceof TemporaryFailure)
  if (temporary.length === 0) return new PermanentFailure(message)
  const waits = temporary.map((failure) => failure.retryAfterSeconds ?? 0)
  return new TemporaryFailure(message, { retryAfterSeconds: Math.min(...waits) || undefined })
}
