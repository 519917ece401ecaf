import type { z } from 'zod'
import type { Capability } from './capabilities.ts'
import type { ErrorCode } from './errors.ts'
import type { LimitName, limits } from './limits.ts'

/**
 * The credentials an operation requires: none, the tenant key, tenant key and access token, tenant key and optionally an
 * access token (verified when present), or the admin key.
 */
export type Authentication = 'none' | 'tenant' | 'tenant, user' | 'tenant, user?' | 'admin'

/** One operation of the API. Server, OpenAPI document, client types and tests all derive from this declaration. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Fastify's syntax: parameters are `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly auth: Authentication
  /** The limit per client address that applies; none when absent. */
  readonly limit?: LimitName
  /** Answered with 403 when this capability is restricted for the tenant or the user. */
  readonly capability?: Capability
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The schema in the OpenAPI document for a body that the handler validates itself, with more specific messages. */
  readonly bodyShape?: z.ZodType
  /** The body is a stream of JSON lines (NDJSON). This is the schema of one line; the handler validates each. */
  readonly bodyLines?: z.ZodType
  /** Maximum body size in bytes; see `maxBodyBytesOf` for the default. */
  readonly maxBodyBytes?: number
  readonly status: 200 | 201 | 204
  readonly output: z.ZodType
  /** false: the success body has no envelope (`meta` and `data`). */
  readonly envelope?: false
  /** The response is a stream of server-sent events; `output` is the data of one. Resumes after `Last-Event-ID`. */
  readonly stream?: true
  /**
   * The response is a stream of JSON lines (NDJSON); `output` is the schema of one. The last line marks completion, or is
   * an error envelope when the operation fails after the first line.
   */
  readonly outputLines?: true
  /** The success body is text of this media type, without an envelope. */
  readonly outputText?: string
  /** Errors specific to this operation; `errorsOf` adds those of the request checks. */
  readonly errors: readonly ErrorCode[]
}

/** Preserves the literal types of a declaration. */
export const operation = <const O extends Operation>(declaration: O): O => declaration

/** Maximum size of one NDJSON line in bytes, without the line break: the default size of a whole body. */
export const maxLineBytes = 65_536

/** Maximum body size of an operation in bytes. */
export const maxBodyBytesOf = ({ maxBodyBytes, bodyLines }: Operation): number =>
  maxBodyBytes ?? (bodyLines === undefined ? 65_536 : 536_870_912)

/**
 * Whether undeclared query parameters are rejected. Under `/admin` they are: a misspelt filter would return everything.
 * Elsewhere they are ignored, because clients may be newer than the server.
 */
export const hasStrictQuery = ({ path }: Operation): boolean => path.startsWith('/admin/')

/** The limit as `app.ts` lists it, such as "30/h", or "-" for an operation without one. */
export type LimitOf<O extends Operation> = O['limit'] extends LimitName ? (typeof limits)[O['limit']] : '-'

/** Every error code of an operation: its own and those of the request checks that apply. */
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
