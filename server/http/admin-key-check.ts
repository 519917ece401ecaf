import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { AdminCall, Operator } from '../core/handler.ts'
import { isUlid } from '../core/ids.ts'
import { refuse, ServiceError } from '../core/service-error.ts'
import { sameText } from '../secrets/random-code.ts'
import { clientGone } from './client-gone.ts'
import { bearerToken, readOnce } from './credentials.ts'
import type { CheckServices } from './request-checks.ts'
import { recordCaller } from './request-log.ts'

/** Who the root key acts as. */
const root: Operator = { id: 'root', name: 'root', scopes: ['*'], tenantIds: null, expiresAt: null }

/**
 * Requires the admin key. Wrong keys are logged and counted per client address. The right key is never counted and works
 * at every count, so a client behind the operator's proxy cannot lock the operator out. The limit bounds log volume;
 * what prevents guessing is the size of the key.
 * @throws ServiceError MISSING_ADMIN_KEY, INVALID_ADMIN_KEY; TOO_MANY_REQUESTS for wrong keys past the limit
 */
export function checkAdminKey(request: FastifyRequest, services: CheckServices): AdminCall<ErrorCode> | Promise<never> {
  const now = services.clock.now()
  const credential = readOnce(request.raw, 'authorization')
  if (credential === 'missing') throw new ServiceError('MISSING_ADMIN_KEY')
  const given = credential === 'repeated' ? null : bearerToken(credential.text)
  if (given !== null && sameText(given, services.adminKey)) {
    const { tenantId } = request.params as { readonly tenantId?: string }
    if (tenantId !== undefined && isUlid(tenantId)) recordCaller(request, tenantId, null)
    const { address } = services.callerAddress(request, null)
    const { 'user-agent': userAgent } = request.headers
    const gone = () => clientGone(request.raw)
    return { now, refuse, requestId: request.id, operator: root, address, userAgent, gone }
  }
  return refuseKey(request, now, services)
}

async function refuseKey(
  request: FastifyRequest,
  now: number,
  { limiter, limits, callerAddress }: CheckServices,
): Promise<never> {
  const { address, subject } = callerAddress(request, null)
  const quota = limits['admin-key']
  const verdict = quota === 'off' ? null : await limiter.take('admin-key', subject, quota, now)
  // Refused requests are not logged: the limit exists to bound these lines.
  if (verdict?.admitted === false) {
    throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: verdict.resetSeconds })
  }
  const isLast = verdict?.remaining === 0
  request.log.warn(
    { requestId: request.id, address },
    isLast ? 'wrong admin key; limit reached, further attempts are refused and not logged' : 'wrong admin key',
  )
  throw new ServiceError('INVALID_ADMIN_KEY')
}
