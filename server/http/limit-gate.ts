import type { FastifyReply } from 'fastify'
import type { LimitName } from '../../contract/limits.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from '../limits/rate-limiter.ts'
import { ServiceError } from '../service-error.ts'

/**
 * Gate 2 of design 2: counts the request, and shows on the answer what is left, whatever the answer will be.
 * @throws TOO_MANY_REQUESTS; a request refused here is not counted.
 */
export async function limitGate(
  name: LimitName,
  subject: string,
  reply: FastifyReply,
  now: number,
  { limiter, limits }: { readonly limiter: RateLimiter; readonly limits: LimitSettings },
): Promise<void> {
  const quota = limits[name]
  if (quota === 'off') return
  const taken = limiter.take(name, subject, quota, now)
  const verdict = taken instanceof Promise ? await taken : taken
  showLimit(reply, quota, verdict)
  if (!verdict.admitted) throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: verdict.resetSeconds })
}

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function showLimit(reply: FastifyReply, { quota, windowSeconds }: Quota, { remaining, resetSeconds }: Verdict): void {
  reply.header('ratelimit-policy', `"ip";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"ip";r=${remaining};t=${resetSeconds}`)
}
