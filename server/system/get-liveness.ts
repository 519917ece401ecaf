import type { getLiveness as operation } from '../../contract/system.ts'
import type { Document, Handler } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'

/** The body of both health checks. */
export const healthy: Document = { body: '{"status":"ok"}', cacheControl: 'no-store' }

/** `GET /healthz`: the process answers, and its storage has no failure that only a restart repairs. */
export const getLiveness: Handler<typeof operation> = (_input, _call, { storage: { failure } }) => {
  if (failure !== null) throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, { cause: failure })
  return healthy
}
