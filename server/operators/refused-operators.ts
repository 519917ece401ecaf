import type { FastifyBaseLogger } from 'fastify'
import type { AdminCall } from '../core/call.ts'
import { createSecondCounter } from '../core/second-counter.ts'
import type { ServiceError } from '../core/service-error.ts'
import type { EventQueueStore } from '../events/event.ts'
import { record } from '../events/record.ts'

type RefusedCall = Pick<AdminCall, 'now' | 'requestId' | 'address' | 'userAgent'> & {
  /** null: a sign-in to the console with a wrong key. */
  readonly operator: AdminCall['operator'] | null
}

/** Records that an operator lacked a scope or a tenant, or that a sign-in to the console had a wrong key. Does not wait for the database. */
export type RecordRefusedOperator = (call: RefusedCall, operation: string | undefined, refusal: ServiceError) => void

/** An operator that sends refused requests in a loop must not fill the log. */
const mostPerSecond = 100

export function createRefusedOperators(events: EventQueueStore, logger: FastifyBaseLogger): RecordRefusedOperator {
  const count = createSecondCounter()
  return (call, operation, { code, details: { missing } }) => {
    const recorded = count(call.now)
    if (recorded === mostPerSecond + 1) {
      logger.warn({ operatorId: call.operator?.id }, 'more than 100 refused admin requests in a second; not recorded')
    }
    if (recorded > mostPerSecond) return
    const details = { operation, ...(missing !== undefined && { missing }) }
    const subject = { kind: 'operator', id: call.operator?.id ?? null } as const
    record({ events }, call, { type: 'operator.refused', subject, refused: code, details }).catch((error) =>
      logger.warn({ err: error, requestId: call.requestId }, 'failed to record a refused admin request'),
    )
  }
}
