import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

const exposed = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag'
const allowedHeaders = 'Authorization, Content-Type, X-Tenant-Key, X-Request-Id, If-None-Match'

/** Names the origin on the answer when this tenant allows it, to the letter; never credentials (design 3, threat F21). */
export function allowOrigin(reply: FastifyReply, origin: string, { configuration }: TenantSnapshot): void {
  reply.header('vary', 'Origin')
  if (!configuration.security.allowedOrigins.includes(origin)) return
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
}

/** Whether a request is a browser asking first (Fetch standard, CORS-preflight). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/**
 * Answers a preflight, for every origin alike: it carries no key, so the tenant is unknown, and an answer that depended on
 * the origin would tell which origins some tenant allows. The tenant's `allowedOrigins` decide on the answer to the request
 * itself. `*` does not cover credentials, and `Authorization` must be listed by name (Fetch standard, CORS-preflight fetch).
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
