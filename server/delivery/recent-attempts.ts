import { setTimeout as wait } from 'node:timers/promises'

/** How long an attempt of a sender took, and how it failed; null if it did not. */
interface PastAttempt {
  readonly ms: number
  readonly error: unknown
}

/** Attempts kept of a tenant: the latest ones. */
const mostAttempts = 20
const mostTenants = 500
/** Before a tenant's first real message: about what a provider takes. */
const presumedAttempt: PastAttempt = { ms: 100, error: null }

/**
 * The latest attempts to send, by tenant. Under enumeration protection a decoy repeats one of them: it occupies the
 * outbox worker as long as a real message and is recorded, or retried, like one. Otherwise a request that follows a
 * challenge at once would be slower or faster for a decoy, depending on what the mail server does.
 */
export class RecentAttempts {
  readonly #ofTenants = new Map<string, PastAttempt[]>()

  /** Runs an attempt at a real message, and keeps how it went. */
  async keep<T>(tenantId: string, attempt: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      const result = await attempt()
      this.#note(tenantId, { ms: performance.now() - begun, error: null })
      return result
    } catch (error) {
      this.#note(tenantId, { ms: performance.now() - begun, error })
      throw error
    }
  }

  /**
   * Takes as long as one of them, drawn at random, and fails as it did.
   * @param signal ends the wait
   */
  async repeat(tenantId: string, signal: AbortSignal): Promise<void> {
    const past = this.#ofTenants.get(tenantId) ?? []
    const { ms, error } = past[Math.floor(Math.random() * past.length)] ?? presumedAttempt
    // A timer takes a millisecond at least; an attempt that an open circuit refuses takes none.
    if (ms >= 0.5) await wait(ms, undefined, { signal }).catch(() => {})
    if (error !== null) throw error
  }

  #note(tenantId: string, attempt: PastAttempt): void {
    const past = this.#ofTenants.get(tenantId) ?? []
    this.#ofTenants.delete(tenantId)
    this.#ofTenants.set(tenantId, [...past.slice(1 - mostAttempts), attempt])
    const [oldest] = this.#ofTenants.keys()
    if (this.#ofTenants.size > mostTenants && oldest !== undefined) this.#ofTenants.delete(oldest)
  }
}
