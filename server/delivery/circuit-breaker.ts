/** Failures in a row that open it. */
const opensAfter = 5
const firstPauseMs = 10_000
const longestPauseMs = 300_000

/**
 * Spares a provider that fails again and again, and the messages the wait for it. After five failures in a row the circuit
 * is open for ten seconds, then one message may try. Each further opening doubles the pause, up to five minutes, until a
 * message succeeds.
 */
export class CircuitBreaker {
  #failures = 0
  #openedAt = Number.NEGATIVE_INFINITY
  #openUntil = 0
  #pauseMs = firstPauseMs
  #probing = false
  #lastError = ''

  /** Whether a message may try now. A probe taken must end in `succeeded`, `answered` or `failed`. */
  admits(now: number): boolean {
    if (!this.isOpen) return true
    if (now < this.#openUntil || this.#probing) return false
    this.#probing = true
    return true
  }

  /** Whether the last messages failed, and none has got through since. */
  get isOpen(): boolean {
    return this.#failures >= opensAfter
  }

  /** When it is worth asking again, in epoch milliseconds. */
  get openUntil(): number {
    return this.#openUntil
  }

  /** Why the provider failed last; empty before its first failure. */
  get lastError(): string {
    return this.#lastError
  }

  succeeded(): void {
    this.#failures = 0
    this.#pauseMs = firstPauseMs
    this.#probing = false
  }

  /**
   * The provider refused or deferred one message for a reason of that message. That is neither a failure nor a success, so
   * it leaves the count alone. A probe that ends like this has reached the provider: the circuit closes, and the next
   * failure opens it again, for the longer pause.
   * @param begun when the attempt began
   */
  answered(begun: number): void {
    if (!this.isOpen || begun <= this.#openedAt) return
    this.#failures = opensAfter - 1
    this.#probing = false
  }

  /**
   * @param begun when the attempt that failed began; many are under way at once
   * @param error what the provider said, without anything of the message
   */
  failed(now: number, begun: number, error = ''): void {
    // Was under way when it opened: says nothing that is not known.
    if (begun <= this.#openedAt) return
    this.#failures++
    this.#lastError = error
    this.#probing = false
    if (!this.isOpen) return
    this.#openedAt = now
    this.#openUntil = now + this.#pauseMs
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
  }
}
