import type { FastifyBaseLogger } from 'fastify'
import { createRepeatedLines } from '../core/repeated-lines.ts'
import { createSecondCounter } from '../core/second-counter.ts'
import type { Storage } from '../storage/storage.ts'
import type { EventQueueStore, Fact } from './event.ts'
import { createExceededLimits, type ExceededLimits, type LimitedCall } from './exceeded-limits.ts'
import { eventOf } from './record.ts'

/** A call with the queue of its tenant. */
type AttemptedCall = LimitedCall & { readonly storage: { readonly events: EventQueueStore } }

/** Records refused attempts that no transaction counts. */
export interface RefusedAttempts {
  /**
   * Records one in its own transaction; never rejects. Of one second this process records 100, so that a flood does not
   * fill the database; it counts the others.
   */
  record(call: AttemptedCall, operation: string, fact: Fact): Promise<void>
}

const mostPerSecond = 100

/** What records refusals: of attempts, and of requests beyond a limit. */
export interface Refusals {
  readonly exceededLimits: ExceededLimits
  readonly refusedAttempts: RefusedAttempts
}

export function createRefusals(
  storage: Pick<Storage, 'forTenant' | 'ping'>,
  logger: Pick<FastifyBaseLogger, 'error'>,
): Refusals {
  const exceededLimits = createExceededLimits(storage)
  return { exceededLimits, refusedAttempts: createRefusedAttempts(exceededLimits, logger) }
}

function createRefusedAttempts(
  exceeded: Pick<ExceededLimits, 'note'>,
  logger: Pick<FastifyBaseLogger, 'error'>,
): RefusedAttempts {
  const lines = createRepeatedLines()
  const count = createSecondCounter()

  return {
    async record(call, operation, fact) {
      const event = eventOf(call, fact)
      if (event === null) return
      if (count(call.now) > mostPerSecond) {
        exceeded.note(call, operation)
        return
      }
      try {
        await call.storage.events.add(event)
      } catch (error) {
        const counted = lines('refused attempt')
        if (counted !== null) logger.error({ err: error, ...counted }, 'failed to record a refused attempt')
      }
    },
  }
}
