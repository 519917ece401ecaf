import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantDirectory } from '../tenants/tenant.ts'
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

/** Answers a preflight. It carries no key, so every origin that some tenant allows may ask; the answer proper decides. */
export async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
  tenants: TenantDirectory,
): Promise<FastifyReply> {
  const { origin = '' } = request.headers
  reply.code(204).header('vary', 'Origin').header('cache-control', 'no-store')
  if (await tenants.allowsOrigin(origin)) {
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', '600')
  }
  return reply.send()
}
