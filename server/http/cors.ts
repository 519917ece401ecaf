import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { RefusedOrigin } from './refused-origins.ts'

const exposed = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag'
const allowedHeaders =
  'Authorization, Content-Type, X-Tenant-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match'

/** Pages of this machine, at any port. */
const loopback = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/** Which origins may read answers besides the tenant's `allowedOrigins`, and where refused ones are reported. */
export interface OriginPolicy {
  /** In development only: pages on this machine may call every tenant. */
  readonly allowLoopback: boolean
  onRefused(refused: RefusedOrigin): void
}

/** Allows the origin when it is one of the tenant's `allowedOrigins`; never allows credentials (threat F21). */
export function allowOrigin(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { tenant, configuration }: TenantSnapshot,
  { allowLoopback, onRefused }: OriginPolicy,
): void {
  const { origin = '' } = headers
  const allowed = configuration.security.allowedOrigins
  reply.header('vary', 'Origin')
  if (allowed.includes(origin) || (allowLoopback && loopback.test(origin))) {
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    // A page of this server, such as its documentation, needs no permission.
  } else if (origin.replace(/^https?:\/\//, '') !== headers.host) onRefused({ tenantId: tenant.id, origin })
}

/**
 * Whether a request is a CORS preflight (Fetch standard, CORS-preflight fetch) that is answered. Under `/admin` none is: no
 * page of another origin may call operators' operations (threat K02).
 */
export const isPreflight = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined &&
  !url.startsWith('/admin/')

/**
 * Answers a preflight, the same for every origin: it carries no key, so the tenant is unknown, and an answer that depended
 * on the origin would reveal which origins some tenant allows. `allowedOrigins` apply to the answer of the request itself.
 * `*` does not cover credentials, and `Authorization` must be listed by name (Fetch standard, CORS-preflight fetch).
 */
export function answerPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply
    .code(204)
    .header('cache-control', 'no-store')
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', '600')
    .send()
}
