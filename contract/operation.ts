import type { z } from 'zod'
import type { Capability } from './capabilities.ts'
import type { ErrorCode } from './errors.ts'
import type { LimitName, limits } from './limits.ts'

/**
 * Who must be calling: nobody in particular, a tenant's client application, that and a
 * signed-in user, the former with the latter checked only when a token is sent, or the operator.
 */
export type Authentication = 'none' | 'tenant' | 'tenant, user' | 'tenant, user?' | 'admin'

/** One operation of the service, declared once: server, OpenAPI document, client types and tests all read this. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's form: parameters as `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly auth: Authentication
  /** The limit per client address it is counted under; none when absent. */
  readonly limit?: LimitName
  /** Refused with 403 when restricted for the tenant or the user. */
  readonly capability?: Capability
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** What the document shows for a body that the handler judges itself, with messages better than its shape gives. */
  readonly bodyShape?: z.ZodType
  /** The body is a stream of lines (NDJSON), each a JSON object: the shape of one, which the handler judges itself. */
  readonly bodyLines?: z.ZodType
  /** Largest body taken, in bytes; see `maxBodyBytesOf` when absent. */
  readonly maxBodyBytes?: number
  readonly status: 200 | 201 | 204
  readonly output: z.ZodType
  /** false: the success body stands alone, without `meta` and `data`. */
  readonly envelope?: false
  /** The answer is a stream of events (HTML 9.2): `output` is the data of one. Resumed after `Last-Event-ID`. */
  readonly stream?: true
  /**
   * The answer is a stream of lines (NDJSON): `output` is the shape of one. One that is whole ends with a line that says
   * so in its own words; a refusal after the first line is the last one, in the envelope of failures.
   */
  readonly outputLines?: true
  /** The success body is text of this media type, and stands alone. */
  readonly outputText?: string
  /** Refusals of its own; those of the request checks follow from the rest: see `errorsOf`. */
  readonly errors: readonly ErrorCode[]
}

/** Keeps the literal types of a declaration. */
export const operation = <const O extends Operation>(declaration: O): O => declaration

/** Largest line of a body of lines, in bytes without its line break: as large as other bodies may be as a whole. */
export const maxLineBytes = 65_536

/** Largest body that an operation takes, in bytes (design 2). */
export const maxBodyBytesOf = ({ maxBodyBytes, bodyLines }: Operation): number =>
  maxBodyBytes ?? (bodyLines === undefined ? 65_536 : 536_870_912)

/**
 * Whether a query parameter that the operation does not declare is refused. Under `/admin` it is: a misspelt filter would
 * answer with everything. Elsewhere unknown parameters are ignored, because clients may be newer than the server.
 */
export const hasStrictQuery = ({ path }: Operation): boolean => path.startsWith('/admin/')

/** "30/h", the limit as `app.ts` shows it, or "-" for an operation without one. */
export type LimitOf<O extends Operation> = O['limit'] extends LimitName ? (typeof limits)[O['limit']] : '-'

/** Every code an operation can answer: its own and those of its request checks. */
export function errorsOf(o: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(o.errors)
  if (o.limit !== undefined) codes.add('TOO_MANY_REQUESTS')
  if (o.auth.startsWith('tenant')) codes.add('MISSING_TENANT_KEY').add('INVALID_TENANT_KEY').add('TENANT_SUSPENDED')
  if (o.auth === 'tenant, user') codes.add('MISSING_USER_TOKEN')
  if (o.auth.includes('user')) codes.add('INVALID_USER_TOKEN').add('TOKEN_USER_NOT_FOUND').add('RESTRICTED_CAPABILITY')
  if (o.auth === 'admin') codes.add('MISSING_ADMIN_KEY').add('INVALID_ADMIN_KEY').add('TOO_MANY_REQUESTS')
  if (o.capability !== undefined) codes.add('RESTRICTED_CAPABILITY')
  if (o.body !== undefined) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE').add('VALIDATION_ERROR')
  if (o.bodyLines !== undefined) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (o.query !== undefined || hasStrictQuery(o)) codes.add('VALIDATION_ERROR')
  codes.add('INTERNAL_SERVER')
  return [...codes]
}
