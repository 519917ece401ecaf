/** Failures in a row that open it. */
const opensAfter = 5
const firstPauseMs = 10_000
const longestPauseMs = 300_000

/**
 * Spares a sender that fails again and again, and the messages the wait for it: after five failures in a row it is left
 * alone for ten seconds, then one message may try; each further failure doubles the pause, up to five minutes.
 */
export class CircuitBreaker {
  #failures = 0
  #openedAt = 0
  #openUntil = 0
  #probing = false

  /** Whether a message may try now. A probe taken must end in `succeeded` or `failed`. */
  admits(now: number): boolean {
    if (this.#failures < opensAfter) return true
    if (now < this.#openUntil || this.#probing) return false
    this.#probing = true
    return true
  }

  /** Whether the last messages failed, and none has succeeded since. */
  get isOpen(): boolean {
    return this.#failures >= opensAfter
  }

  /** When it is worth asking again, in epoch milliseconds. */
  get openUntil(): number {
    return this.#openUntil
  }

  succeeded(): void {
    this.#failures = 0
    this.#probing = false
  }

  /** @param begun when the attempt that failed began; many are under way at once */
  failed(now: number, begun: number): void {
    // Was under way when it opened: says nothing that is not known.
    if (this.#failures >= opensAfter && begun <= this.#openedAt) return
    this.#failures++
    this.#probing = false
    if (this.#failures < opensAfter) return
    this.#openedAt = now
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - opensAfter))
    this.#openUntil = now + pause
  }
}
