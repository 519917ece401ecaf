import { limitKey } from './limit-key.ts'
import { createLocalRateLimiter } from './local-rate-limiter.ts'
import { type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { logKeptLongerMs } from './sliding-log-script.ts'
import { ValkeyConnection, type ValkeyOptions } from './valkey-connection.ts'
import type { ValkeyAddress } from './valkey-url.ts'

/**
 * A limiter with its logs in Valkey, exact across all processes on it. Each process also counts locally what it admits: it
 * continues with that count when Valkey is unreachable or slow, and never admits more than a quota itself, even if Valkey
 * loses data (threat G08). Different clocks of processes widen a window by their difference.
 *
 * A clear stores its time in Valkey next to the log. A process whose local count is higher than Valkey's reads it: either
 * the log was cleared, and the process clears its own up to that time, or Valkey lost the log, and the local count holds.
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

  /** Applies the clear of another process to the local log; false when there was none. */
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
      // Valkey counts at least what this process admitted, unless it lost data.
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
          // A window of 0 ms removes everything up to now.
          client.countInSlidingLog(keyOf(name, subject), now, 0, quota.quota, 'peek'),
        ]),
      )
    },

    sweep: (now) => local.sweep(now),
    close: () => valkey.close(),
  }
}

const keyOf = (name: string, subject: string): string => `tenantry:limit:${limitKey(name, subject)}`
/** The key of the time of the last clear, in epoch milliseconds. */
const clearKeyOf = (name: string, subject: string): string => `tenantry:limit-clear:${limitKey(name, subject)}`

/** The verdicts differ when another process counted more or Valkey lost data. */
const stricter = (own: Verdict, shared: Verdict | null): Verdict =>
  shared === null || own.remaining <= shared.remaining ? own : shared
