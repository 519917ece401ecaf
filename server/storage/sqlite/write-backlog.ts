/** Bursts below this size are always taken, in writes: one slow COMMIT says little about the next. */
const smallest = 1_000
const smoothing = 0.2
/** A lock held for longer is asked about once in this time, in milliseconds. */
const longestLockMs = 30_000

/** Estimates how long a write has to wait, from how fast the latest groups were committed. */
export class WriteBacklog {
  readonly #groupSize: number
  readonly #busyTimeoutMs: number
  #groupMs = 0
  #lockedSince: number | null = null

  constructor(groupSize: number, busyTimeoutMs: number) {
    this.#groupSize = groupSize
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** A group was committed in so many milliseconds. */
  noteGroup(ms: number): void {
    this.#groupMs = this.#groupMs === 0 ? ms : this.#groupMs + smoothing * (ms - this.#groupMs)
  }

  /** The write lock was taken, or another process has it. */
  noteLock(taken: boolean, now: number): void {
    if (taken) this.#lockedSince = null
    else this.#lockedSince ??= now
  }

  /** Seconds until the waiting writes are done, when another one would wait for too long; null when it may join them. */
  refusedFor(waiting: number): number | null {
    if (waiting < smallest) return null
    const waitMs = Math.ceil(waiting / this.#groupSize) * this.#groupMs
    return waitMs > this.#busyTimeoutMs ? Math.ceil(waitMs / 1000) : null
  }

  /**
   * Seconds after which a lock may be free: as long as it was held so far, because a process that has held it for long
   * is likely to hold it for long.
   */
  lockSeconds(now: number): number {
    const heldMs = now - (this.#lockedSince ?? now)
    return Math.max(1, Math.ceil(Math.min(heldMs, longestLockMs) / 1000))
  }
}
