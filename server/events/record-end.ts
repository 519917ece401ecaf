import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { ServiceError } from '../core/service-error.ts'

interface RecordEndServices {
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'error'>
}

const retryMs = 1_000

/**
 * Records when and how an import or an export ended, at least once. When the database fails, which may be why it ended, this
 * resolves and tries again in the background until the process stops. It does so, too, when the result of the COMMIT is
 * unknown: a duplicate has the same request id and time, a missing end would read as if the process had died.
 */
export async function recordEnd(
  write: (endedAt: number) => Promise<void>,
  { clock, logger }: RecordEndServices,
): Promise<void> {
  const endedAt = clock.now()
  try {
    await write(endedAt)
  } catch (error) {
    if (!isOfDatabase(error)) throw error
    retry(() => write(endedAt)).catch((err: unknown) =>
      logger.error({ err }, 'failed to record the end of an import or export'),
    )
  }
}

async function retry(write: () => Promise<void>): Promise<void> {
  for (;;) {
    await pause(retryMs, undefined, { ref: false })
    try {
      return await write()
    } catch (error) {
      if (!isOfDatabase(error)) throw error
    }
  }
}

const isOfDatabase = (error: unknown): boolean => error instanceof ServiceError
