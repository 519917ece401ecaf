import type { getReadiness as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import { healthy } from './get-liveness.ts'

/** `GET /readyz`: the database answers, and the service is not shutting down. Load balancers route requests by it. */
export const getReadiness: Handler<typeof operation> = async (_input, { refuse }, { storage, stopping }) => {
  if (stopping.aborted) throw refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
  try {
    await storage.ping()
  } catch (error) {
    const { retryAfterSeconds = 1 } = error instanceof ServiceError ? error.details : {}
    throw refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause: error })
  }
  return healthy
}
