import type { FastifyRequest } from 'fastify'

const accepted = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/,
}

/** Whether `Accept-Encoding` names a content coding, and does not exclude it (RFC 9110 12.5.3). */
export const acceptsEncoding = (request: FastifyRequest, encoding: keyof typeof accepted): boolean =>
  accepted[encoding].test(request.headers['accept-encoding'] ?? '')
