import type { FastifyReply } from 'fastify'
import type { LimitName } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from '../limits/rate-limiter.ts'
import type { CallerAddress } from './caller-address.ts'

/** Some IPv6 customers have a /48, which may use as much as this many /64 networks. */
const fullSubnetsPerNetwork = 8

interface LimitServices {
  readonly limiter: RateLimiter
  readonly limits: LimitSettings
}

/** The verdict on a request, and the quota it is about. */
interface Counted {
  readonly quota: Quota
  readonly verdict: Verdict
}

/**
 * Counts the request and sets the rate limit headers, of the stricter verdict (LIMIT-2, LIMIT-3).
 * @throws TOO_MANY_REQUESTS; a request refused here is not counted.
 */
export async function checkLimit(
  name: LimitName,
  caller: CallerAddress,
  reply: FastifyReply,
  now: number,
  services: LimitServices,
): Promise<void> {
  const counted = await countRequest(name, caller, now, services)
  if (counted === null) return
  showLimit(reply, counted)
  requireAdmitted(counted.verdict)
}

/**
 * Counts a request. An IPv6 client is counted by its /64 and by its /48; both must admit it (LIMIT-5).
 * @returns the stricter verdict; null when the limit is off
 */
export async function countRequest(
  name: LimitName,
  { subject, network }: CallerAddress,
  now: number,
  { limiter, limits }: LimitServices,
): Promise<Counted | null> {
  const quota = limits[name]
  if (quota === 'off') return null
  const taken = limiter.take(name, subject, quota, now)
  const verdict = taken instanceof Promise ? await taken : taken
  if (network === null || !verdict.admitted) return { quota, verdict }

  const wide = { ...quota, quota: quota.quota * fullSubnetsPerNetwork }
  const wideVerdict = await limiter.take(`${name}/48`, network, wide, now)
  if (!wideVerdict.admitted) await limiter.giveBack(name, subject, quota, now)
  const isWideStricter = wideVerdict.remaining < verdict.remaining || !wideVerdict.admitted
  return isWideStricter ? { quota: wide, verdict: wideVerdict } : { quota, verdict }
}

/** @throws TOO_MANY_REQUESTS */
export function requireAdmitted({ admitted, resetSeconds }: Verdict): void {
  if (!admitted) throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: resetSeconds })
}

/** Policy and remaining quota (draft-ietf-httpapi-ratelimit-headers). */
function showLimit(reply: FastifyReply, { quota: { quota, windowSeconds }, verdict }: Counted): void {
  const { remaining, resetSeconds } = verdict
  reply.header('ratelimit-policy', `"ip";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"ip";r=${remaining};t=${resetSeconds}`)
}
