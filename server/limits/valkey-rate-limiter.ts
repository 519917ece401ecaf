import { limitKey } from './limit-key.ts'
import { createLocalRateLimiter } from './local-rate-limiter.ts'
import { type KeptRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { ValkeyConnection, type ValkeyOptions } from './valkey-connection.ts'
import type { ValkeyAddress } from './valkey-url.ts'

/**
 * A limiter whose logs lie in Valkey, exact across all processes on it. This process also counts for itself what it
 * admits: with that it goes on alone when Valkey is out of reach or slow, and never admits more than a quota itself,
 * whatever Valkey has forgotten (threat G08). Clocks of processes that differ widen a window by as much as they differ.
 */
export async function createValkeyRateLimiter(
  address: ValkeyAddress,
  options: ValkeyOptions,
): Promise<KeptRateLimiter> {
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

  return {
    get isShared() {
      return valkey.isUp
    },

    async take(name, subject, quota, now) {
      const own = local.peek(name, subject, quota, now)
      const shared = await count(own.admitted ? 'take' : 'peek', name, subject, quota, now)
      // Valkey would have refused as well, had it not forgotten: what this process admitted is counted there too.
      if (!own.admitted) return own
      if (shared !== null && !shared.admitted) return shared
      return stricter(local.take(name, subject, quota, now), shared)
    },

    async peek(name, subject, quota, now) {
      const own = local.peek(name, subject, quota, now)
      return stricter(own, await count('peek', name, subject, quota, now))
    },

    async giveBack(name, subject, quota, takenAt) {
      local.giveBack(name, subject, quota, takenAt)
      await valkey.ask((client) => client.lrem(keyOf(name, subject), -1, takenAt))
    },

    sweep: (now) => local.sweep(now),
    close: () => valkey.close(),
  }
}

const keyOf = (name: string, subject: string): string => `tenantry:limit:${limitKey(name, subject)}`

/** They are the same but when another process counted more, or Valkey has forgotten. */
const stricter = (own: Verdict, shared: Verdict | null): Verdict =>
  shared === null || !own.admitted || own.remaining < shared.remaining ? own : shared
