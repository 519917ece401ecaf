import type { getLiveness as operation } from '../../contract/system.ts'
import type { Document, Handler } from '../core/handler.ts'

/** The body of both health checks. */
export const healthy: Document = { body: '{"status":"ok"}', cacheControl: 'no-store' }

/** `GET /healthz`: the process answers, and its storage has no failure that only a restart repairs. */
export const getLiveness: Handler<typeof operation> = (_input, { refuse }, { storage: { failure } }) => {
  if (failure !== null) throw refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, { cause: failure })
  return healthy
}
