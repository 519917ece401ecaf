import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import { knownNetworkMs } from './limits/known-networks.ts'
import type { DigestWrapping } from './passwords/wrap-digests.ts'
import type { Storage } from './storage/storage.ts'

/**
 * Work that nobody waits for: old rows go, deleted tenants are erased, uses of keys noted, profiles migrated, signing
 * keys rotated.
 */
export interface Housekeeping {
  /** Remembers that a key was used; written at most once a minute (architecture 2). */
  noteKeyUse(keyId: string, now: number): void
  start(): void
  stop(): Promise<void>
  /** One full round at once. */
  run(): Promise<void>
}

/** What housekeeping works with. */
export interface HousekeepingOptions {
  readonly storage: Storage
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  /** How long OTPs, messages and the inbox are kept; sessions go once they make their network known no longer. */
  readonly retentionMs: number
  /** Called every round with the time; forgets what is past. */
  readonly sweep: (now: number) => void
  /** Rotates the signing keys when that is due, and learns what other processes did to them. */
  readonly maintainSigningKeys: (now: number) => Promise<void>
  /** Brings stored profiles up to their tenants' schemas. */
  readonly migrateProfiles: () => Promise<void>
  /** Erases guests that have been idle for too long. */
  readonly purgeGuests: (now: number) => Promise<void>
  /** Woken every round; it may take longer than a round, so none waits for it. */
  readonly digestWrapping: Pick<DigestWrapping, 'wake'>
}

const roundMs = 60_000
/**
 * A deleted tenant's rows stay for so long: longer than a request takes that was let in before, or a message that is on
 * the way. What such a one writes is erased with the rest; no constraint of the database would refuse it later.
 */
const erasureDelayMs = 5 * 60_000
/**
 * Used ID tokens are kept for this long after they expired. They are judged by the wall clock, and this clock may be up to a
 * day ahead of it after a step back (`steady-clock.ts`).
 */
const clockMarginMs = 25 * 60 * 60_000
/** Small enough that a batch never holds the writer for long. */
const batch = 500

/** A round a minute, each in small batches that requests slip between. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const {
    storage,
    clock,
    logger,
    retentionMs,
    sweep,
    maintainSigningKeys,
    migrateProfiles,
    purgeGuests,
    digestWrapping,
  } = options
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null

  async function noteUses(): Promise<void> {
    if (uses.size === 0) return
    const noted = uses
    uses = new Map()
    await storage.system.tenants.touchKeys(noted)
  }

  async function round(): Promise<void> {
    const now = clock.now()
    sweep(now)
    digestWrapping.wake()
    try {
      await noteUses()
      await maintainSigningKeys(now)
      const old = now - retentionMs
      const horizon = {
        ...{ otps: old, messages: old, inbox: old },
        sessions: now - knownNetworkMs,
        usedIdTokens: now - clockMarginMs,
      }
      while (await storage.system.purge(horizon, batch));
      while (await storage.system.limitLogs.purge(now, batch));
      while (await storage.system.tenants.eraseDeleted(now - erasureDelayMs, batch));
      await migrateProfiles()
      await purgeGuests(now)
    } catch (error) {
      logger.warn({ err: error }, 'housekeeping stopped early: the next round goes on')
    }
  }

  const run = (): Promise<void> => {
    running ??= round().finally(() => {
      running = null
    })
    return running
  }

  return {
    noteKeyUse(keyId, now) {
      uses.set(keyId, now)
    },
    start() {
      timer = setInterval(run, roundMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
      // When a key was last used is worth noting, and no reason not to close.
      await noteUses().catch((error) => logger.warn({ err: error }, 'the last uses of keys were not noted'))
    },
    run,
  }
}
