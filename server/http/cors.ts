import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

const exposed = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag'
const allowedHeaders = 'Authorization, Content-Type, X-Tenant-Key, X-Request-Id, If-None-Match'

/** Allows the origin when it is one of the tenant's `allowedOrigins`; never allows credentials (threat F21). */
export function allowOrigin(reply: FastifyReply, origin: string, { configuration }: TenantSnapshot): void {
  reply.header('vary', 'Origin')
  if (!configuration.security.allowedOrigins.includes(origin)) return
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
}

/** Whether a request is a CORS preflight (Fetch standard, CORS-preflight fetch). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

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
