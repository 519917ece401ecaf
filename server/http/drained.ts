import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Whether the operator may still read the answer. */
export type MayRead = () => Promise<boolean>

/** As often as an answer whose client reads is checked. */
const everyMs = 1_000

/**
 * Waits until more can be written or `ends` fires, while the operator may read: a client that reads nothing keeps its
 * connection for as long as it likes.
 * @returns false as soon as the operator may not
 */
export async function drained(raw: ServerResponse, ends: AbortSignal, mayRead: MayRead): Promise<boolean> {
  const { promise: lost, resolve } = Promise.withResolvers<false>()
  const timer = setInterval(async () => {
    // Reading goes on with the same database, and then fails as well.
    if (!(await mayRead().catch(() => true))) resolve(false)
  }, everyMs)
  const drain = once(raw, 'drain', { signal: ends }).then(
    () => true,
    (error: unknown) => {
      if (!ends.aborted) throw error
      return true
    },
  )
  return await Promise.race([drain, lost]).finally(() => clearInterval(timer))
}
