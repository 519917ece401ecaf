import type { FastifyBaseLogger } from 'fastify'
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import { createStoredRateLimiter } from '../limits/stored-rate-limiter.ts'
import type { Config } from '../settings/config.ts'
import type { Storage } from '../storage/storage.ts'

/** Counts limits in Valkey if configured, otherwise in PostgreSQL, and in memory on SQLite. */
export async function openLimiter(
  { valkey, database }: Pick<Config, 'valkey' | 'database'>,
  storage: Storage,
  logger: FastifyBaseLogger,
): Promise<ManagedRateLimiter> {
  if (valkey !== null) {
    // Loads the client library only for a deployment that uses it.
    const { createValkeyRateLimiter } = await import('../limits/valkey-rate-limiter.ts')
    return createValkeyRateLimiter(valkey, { logger })
  }
  return database.engine === 'postgres' ? createStoredRateLimiter(storage.system.limitLogs) : createLocalRateLimiter()
}
