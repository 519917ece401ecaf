import type { FastifyReply } from 'fastify'
import type { LimitName } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from '../limits/rate-limiter.ts'
import type { CallerAddress } from './caller-address.ts'

/** Some IPv6 customers have a /48, which may use as much as this many /64 networks. */
const fullSubnetsPerNetwork = 8

/**
 * Counts the request and sets the rate limit headers. An IPv6 client is counted by its /64 and by its /48; both must admit
 * it, and the headers show the stricter one (LIMIT-2, LIMIT-3, LIMIT-5).
 * @throws TOO_MANY_REQUESTS; a request refused here is not counted.
 */
export async function checkLimit(
  name: LimitName,
  { subject, network }: CallerAddress,
  reply: FastifyReply,
  now: number,
  { limiter, limits }: { readonly limiter: RateLimiter; readonly limits: LimitSettings },
): Promise<void> {
  const quota = limits[name]
  if (quota === 'off') return
  const taken = limiter.take(name, subject, quota, now)
  const verdict = taken instanceof Promise ? await taken : taken
  if (network === null || !verdict.admitted) return judge(reply, quota, verdict)

  const wide = { ...quota, quota: quota.quota * fullSubnetsPerNetwork }
  const wideVerdict = await limiter.take(`${name}/48`, network, wide, now)
  if (!wideVerdict.admitted) await limiter.giveBack(name, subject, quota, now)
  if (wideVerdict.remaining < verdict.remaining || !wideVerdict.admitted) judge(reply, wide, wideVerdict)
  else judge(reply, quota, verdict)
}

function judge(reply: FastifyReply, quota: Quota, verdict: Verdict): void {
  showLimit(reply, quota, verdict)
  if (!verdict.admitted) throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: verdict.resetSeconds })
}

/** Policy and remaining quota (draft-ietf-httpapi-ratelimit-headers). */
function showLimit(reply: FastifyReply, { quota, windowSeconds }: Quota, { remaining, resetSeconds }: Verdict): void {
  reply.header('ratelimit-policy', `"ip";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"ip";r=${remaining};t=${resetSeconds}`)
}
