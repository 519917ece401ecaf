import { setTimeout as wait } from 'node:timers/promises'
import { LruCache } from '../core/lru-cache.ts'

/** The duration and the error of an attempt; `error` is null if it succeeded. */
interface PastAttempt {
  readonly ms: number
  readonly error: unknown
}

/** The number of latest attempts kept per tenant. */
const mostAttempts = 20
const mostTenants = 500
/** Used before a tenant's first real message; 100 ms is typical for a provider. */
const presumedAttempt: PastAttempt = { ms: 100, error: null }

/**
 * The latest attempts by tenant. With enumeration protection, a decoy repeats one of them: it occupies the outbox worker
 * as long as a real message and is recorded or retried like one. Otherwise the duration of a request right after a
 * challenge would reveal the decoy.
 */
export class RecentAttempts {
  readonly #ofTenants = new LruCache<readonly PastAttempt[]>(mostTenants)

  /** Runs an attempt for a real message and keeps its duration and result. */
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
   * Repeats the duration and result of a random one of them.
   * @param signal ends the wait
   */
  async repeat(tenantId: string, signal: AbortSignal): Promise<void> {
    const past = this.#ofTenants.get(tenantId) ?? []
    const { ms, error } = past[Math.floor(Math.random() * past.length)] ?? presumedAttempt
    // A timer takes at least a millisecond; an attempt refused by an open circuit takes none.
    if (ms >= 0.5) await wait(ms, undefined, { signal }).catch(() => {})
    if (error !== null) throw error
  }

  #note(tenantId: string, attempt: PastAttempt): void {
    const past = this.#ofTenants.get(tenantId) ?? []
    this.#ofTenants.set(tenantId, [...past.slice(1 - mostAttempts), attempt])
  }
}
