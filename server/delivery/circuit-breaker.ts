/** Consecutive failures that open the circuit. */
const opensAfter = 5
const firstPauseMs = 10_000
const longestPauseMs = 300_000

/**
 * Skips a provider that keeps failing. After five consecutive failures the circuit is open for ten seconds, then one
 * message probes the provider. Each further opening doubles the pause, up to five minutes, until a message is sent.
 */
export class CircuitBreaker {
  #failures = 0
  #openedAt = Number.NEGATIVE_INFINITY
  #openUntil = 0
  #pauseMs = firstPauseMs
  #probing = false
  #lastError = ''

  /** Whether a message may be sent now. Each one must end in `succeeded`, `answered`, `failed` or `interrupted`. */
  admits(now: number): boolean {
    if (this.refuses(now)) return false
    // Otherwise no result would count until the time that the clock has shown.
    if (now < this.#openedAt) this.#openedAt = Number.NEGATIVE_INFINITY
    this.#probing = this.isOpen
    return true
  }

  /** Whether `admits` would be false. A pause that began in the future is over: the clock was set back. */
  refuses(now: number): boolean {
    const isPaused = this.#openedAt <= now && now < this.#openUntil
    return this.isOpen && (isPaused || this.#probing)
  }

  /** Whether the circuit is open or being probed. */
  get isOpen(): boolean {
    return this.#failures >= opensAfter
  }

  /** Whether it is open and messages wait. They try every minute or so: where none did, its tenant may have been deleted. */
  keepsWaiting(now: number): boolean {
    return this.isOpen && now < this.#openUntil + longestPauseMs
  }

  /** When the next probe is allowed, in epoch milliseconds. */
  get openUntil(): number {
    return this.#openUntil
  }

  /** The provider's last error; empty before its first failure. */
  get lastError(): string {
    return this.#lastError
  }

  succeeded(): void {
    this.#failures = 0
    this.#pauseMs = firstPauseMs
    this.#probing = false
  }

  /**
   * The provider rejected or deferred one message because of that message, which is neither a failure nor a success of the
   * provider. A probe with this result has reached the provider: the circuit closes, and the next failure opens it again,
   * for the longer pause.
   * @param begun the start of the attempt
   */
  answered(begun: number): void {
    if (!this.isOpen || begun <= this.#openedAt) return
    this.#failures = opensAfter - 1
    this.#probing = false
  }

  /** The attempt was aborted, which says nothing about the provider. The next message probes it. */
  interrupted(begun: number): void {
    if (begun > this.#openedAt) this.#probing = false
  }

  /**
   * @param begun the start of the attempt; attempts run in parallel
   * @param error the provider's error, without any part of the message
   */
  failed(now: number, begun: number, error = ''): void {
    // The attempt started before the circuit opened, so it adds no information.
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
