import type { FastifyReply } from 'fastify'
import type { LimitName } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from '../limits/rate-limiter.ts'
import type { CallerAddress } from './caller-address.ts'

/** One IPv6 customer has a /64, many have a whole /48: as many /64 as this may use up their quota within one. */
const fullSubnetsPerNetwork = 8

/**
 * Counts the request and shows on the answer what is left, whatever the answer will be. An IPv6
 * client is counted by its /64 and by its /48; both must admit it, and the stricter one is shown.
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

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function showLimit(reply: FastifyReply, { quota, windowSeconds }: Quota, { remaining, resetSeconds }: Verdict): void {
  reply.header('ratelimit-policy', `"ip";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"ip";r=${remaining};t=${resetSeconds}`)
}
