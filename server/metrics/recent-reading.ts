import type { Clock } from '../core/clock.ts'
import { withTimeout } from '../core/with-timeout.ts'

/** The database is queried at most this often, however many scrapes there are. */
const freshMs = 3_000

export interface ReadingOptions {
  readonly clock: Clock
  /** How long a scrape waits for the database. */
  readonly timeoutMs: number
}

/**
 * Reads what several gauges show, once for concurrent scrapes and those that follow soon.
 * @returns a function that resolves to null when the database does not answer in time
 */
export function recentReading<T>(
  query: () => Promise<T>,
  { clock, timeoutMs }: ReadingOptions,
): () => Promise<T | null> {
  let seen: { readonly value: T; readonly at: number } | null = null
  let asking: Promise<T> | null = null
  return async () => {
    const now = clock.now()
    if (seen !== null && Math.abs(now - seen.at) < freshMs) return seen.value
    asking ??= query().finally(() => {
      asking = null
    })
    try {
      const value = await withTimeout(timeoutMs, asking)
      seen = { value, at: now }
      return value
    } catch {
      seen = null
      return null
    }
  }
}
