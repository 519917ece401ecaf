/** Shorter queues are always accepted, because one slow COMMIT says little about the next. */
const alwaysAccepted = 1_000
const smoothing = 0.2
/** The longest `Retry-After` for a locked database, in milliseconds. */
const maxLockMs = 30_000

/** Estimates how long a write has to wait, from the duration of recent groups. */
export class WriteBacklog {
  readonly #groupSize: number
  readonly #busyTimeoutMs: number
  #groupMs = 0
  #lockedSince: number | null = null

  constructor(groupSize: number, busyTimeoutMs: number) {
    this.#groupSize = groupSize
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** Records how long a group took to commit. */
  noteGroup(ms: number): void {
    this.#groupMs = this.#groupMs === 0 ? ms : this.#groupMs + smoothing * (ms - this.#groupMs)
  }

  /** Records whether the write lock was taken, or another process holds it. */
  noteLock(taken: boolean, now: number): void {
    if (taken) this.#lockedSince = null
    else this.#lockedSince ??= now
  }

  /** The seconds after which to retry when another write would wait too long; null when it is accepted. */
  refusedFor(waiting: number): number | null {
    if (waiting < alwaysAccepted) return null
    const waitMs = Math.ceil(waiting / this.#groupSize) * this.#groupMs
    return waitMs > this.#busyTimeoutMs ? Math.ceil(waitMs / 1000) : null
  }

  /** The seconds after which a lock may be free: as long as it has been held, because long locks tend to last. */
  lockSeconds(now: number): number {
    const heldMs = now - (this.#lockedSince ?? now)
    return Math.max(1, Math.ceil(Math.min(heldMs, maxLockMs) / 1000))
  }
}
