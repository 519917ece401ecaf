import type { FieldDetail } from '../../../contract/fields/field-problem.ts'
import type { Failure } from './failure.ts'
import type { ErrorCode } from './generated/types.ts'

/** The remaining quota of a limit, from the `RateLimit` header of an error response. */
export interface RateLimit {
  /** Remaining requests. */
  readonly remaining: number
  /** Seconds until one more request is admitted. */
  readonly resetSeconds: number
}

// The constructors set every field. `declare` keeps compilers from adding another line for each to the bundle.

/** The service responded with an error. `code` identifies it; `message` says what is wrong and what to do. */
export class TenantryError extends Error {
  override readonly name = 'TenantryError'
  declare readonly code: ErrorCode
  /** The HTTP status. */
  declare readonly status: number
  /** Messages by field name; only with VALIDATION_ERROR. */
  declare readonly validation: Readonly<Record<string, string>> | undefined
  /** The violated rule by name of the profile field, with the rule's parameters; only for refused profile values. */
  declare readonly details: Readonly<Record<string, FieldDetail>> | undefined
  /** The scope or other right that the operator lacks; only with INSUFFICIENT_SCOPE. */
  declare readonly missing: string | undefined
  /** Identifies the request in the server's log; give it to the operator. */
  declare readonly requestId: string
  /** Seconds after which to retry, from the `Retry-After` header. */
  declare readonly retryAfter: number | undefined
  declare readonly rateLimit: RateLimit | undefined

  constructor({ meta, error }: Failure, status: number, headers: Headers) {
    super(error.message)
    this.code = error.code
    this.status = status
    this.validation = error.validation
    this.details = error.details
    this.missing = error.missing
    this.requestId = meta.requestId
    this.retryAfter = readRetryAfter(readHeader(headers, 'retry-after') ?? '')
    this.rateLimit = readRateLimit(readHeader(headers, 'ratelimit') ?? '')
  }
}

/** There was no response: the service was not reached, or it redirected. `cause` is the error of `fetch`, if there is one. */
export class TenantryConnectionError extends Error {
  override readonly name: string = 'TenantryConnectionError'
}

/** There was no response within `timeoutMs`. The service may or may not have performed the operation. */
export class TenantryTimeoutError extends TenantryConnectionError {
  override readonly name = 'TenantryTimeoutError'
}

/** The response is not from Tenantry: usually it is from a proxy, or `baseUrl` is wrong. */
export class TenantryAnswerError extends Error {
  override readonly name = 'TenantryAnswerError'
  declare readonly status: number
  declare readonly contentType: string | null
  /** The beginning of the response body. */
  declare readonly excerpt: string

  constructor(response: Response, body: string, url: URL, options?: ErrorOptions) {
    const contentType = readHeader(response.headers, 'content-type')
    super(
      `${url.origin}${url.pathname} responded with ${response.status} and ${contentType ?? 'no content type'}, which is not a response of Tenantry. Check baseUrl and any proxy in between`,
      options,
    )
    this.status = response.status
    this.contentType = contentType
    this.excerpt = body.slice(0, 200)
  }
}

/** The storage of a session failed. `cause` is its error. */
export class TenantryStorageError extends Error {
  override readonly name = 'TenantryStorageError'

  constructor(cause: unknown) {
    super(
      'The storage failed; the session is kept in memory and ends with the page. Allow cookies and site data, or free space',
      { cause },
    )
  }
}

/** Reads a copy, because the `fetch` of SvelteKit throws when a header is read that the app has not listed. */
const readHeader = (headers: Headers, name: string): string | null => new Headers(headers).get(name)

/** `Retry-After` in seconds; its other form is a date (RFC 9110 10.2.3). */
function readRetryAfter(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

/** `"ip";r=27;t=3121` (draft-ietf-httpapi-ratelimit-headers). */
function readRateLimit(value: string): RateLimit | undefined {
  const remaining = /;\s*r=(\d+)/.exec(value)?.[1]
  const reset = /;\s*t=(\d+)/.exec(value)?.[1]
  if (remaining === undefined || reset === undefined) return undefined
  return { remaining: Number(remaining), resetSeconds: Number(reset) }
}
