import { limitKey } from './limit-key.ts'
import { createLocalRateLimiter } from './local-rate-limiter.ts'
import { type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { logKeptLongerMs } from './sliding-log-script.ts'
import { ValkeyConnection, type ValkeyOptions } from './valkey-connection.ts'
import type { ValkeyAddress } from './valkey-url.ts'

/**
 * A limiter whose logs lie in Valkey, exact across all processes on it. This process also counts for itself what it
 * admits: with that it goes on alone when Valkey is out of reach or slow, and never admits more than a quota itself,
 * whatever Valkey has forgotten (threat G08). Clocks of processes that differ widen a window by as much as they differ.
 *
 * A clear leaves its time in Valkey beside the log. A process that counts more than Valkey does reads it: either the log
 * was cleared, and this process clears its own up to that time, or Valkey has lost the log, and the own count holds.
 */
export async function createValkeyRateLimiter(
  address: ValkeyAddress,
  options: ValkeyOptions,
): Promise<ManagedRateLimiter> {
  const valkey = await ValkeyConnection.open(address, options)
  const local = createLocalRateLimiter()

  async function count(act: 'take' | 'peek', name: string, subject: string, quota: Quota, now: number) {
    const counted = await valkey.ask((client) =>
      client.countInSlidingLog(keyOf(name, subject), now, quota.windowSeconds * 1000, quota.quota, act),
    )
    if (counted === null) return null
    const [admitted, size, oldest] = counted
    return verdictOn(admitted === 1, { size, oldest: Number(oldest) }, quota, now)
  }

  /** Applies to the own log what another process cleared; false when none did. */
  async function followClear(name: string, subject: string, quota: Quota): Promise<boolean> {
    const clearedAt = await valkey.ask((client) => client.get(clearKeyOf(name, subject)))
    if (clearedAt === null) return false
    local.clear(name, subject, quota, Number(clearedAt))
    return true
  }

  async function take(name: string, subject: string, quota: Quota, now: number): Promise<Verdict> {
    const own = local.peek(name, subject, quota, now)
    const shared = await count(own.admitted ? 'take' : 'peek', name, subject, quota, now)
    if (!own.admitted) {
      const isCleared = shared?.admitted === true && (await followClear(name, subject, quota))
      if (isCleared && local.peek(name, subject, quota, now).admitted) return take(name, subject, quota, now)
      // Valkey would have refused as well, had it not forgotten: what this process admitted is counted there too.
      return own
    }
    if (shared !== null && !shared.admitted) return shared
    if (shared !== null && own.remaining <= shared.remaining) await followClear(name, subject, quota)
    return stricter(local.take(name, subject, quota, now), shared)
  }

  return {
    get isShared() {
      return valkey.isUp
    },

    take,

    async peek(name, subject, quota, now) {
      const own = local.peek(name, subject, quota, now)
      const shared = await count('peek', name, subject, quota, now)
      const isBehind = shared !== null && own.remaining < shared.remaining
      if (!isBehind || !(await followClear(name, subject, quota))) return stricter(own, shared)
      return stricter(local.peek(name, subject, quota, now), shared)
    },

    async giveBack(name, subject, quota, takenAt) {
      local.giveBack(name, subject, quota, takenAt)
      await valkey.ask((client) => client.lrem(keyOf(name, subject), -1, takenAt))
    },

    async clear(name, subject, quota, now) {
      local.clear(name, subject, quota, now)
      const keptMs = quota.windowSeconds * 1000 + logKeptLongerMs
      await valkey.ask((client) =>
        Promise.all([
          client.set(clearKeyOf(name, subject), now, 'PX', keptMs),
          // In a window of no length nothing counts any more.
          client.countInSlidingLog(keyOf(name, subject), now, 0, quota.quota, 'peek'),
        ]),
      )
    },

    sweep: (now) => local.sweep(now),
    close: () => valkey.close(),
  }
}

const keyOf = (name: string, subject: string): string => `tenantry:limit:${limitKey(name, subject)}`
/** Where the time of the last clear is, in epoch milliseconds. */
const clearKeyOf = (name: string, subject: string): string => `tenantry:limit-clear:${limitKey(name, subject)}`

/** They are the same but when another process counted more, or Valkey has forgotten. */
const stricter = (own: Verdict, shared: Verdict | null): Verdict =>
  shared === null || !own.admitted || own.remaining < shared.remaining ? own : shared
