import type { Failure } from '../contract/envelope.ts'
import type { ErrorCode } from '../contract/errors.ts'

/** What is left of a limit when a refusal came (the `RateLimit` header). */
export interface RateLimit {
  /** Requests that would still be admitted. */
  readonly remaining: number
  /** Seconds until one more would be. */
  readonly resetSeconds: number
}

/** The service refused: `code` says why, `message` what to do about it (contract 7). */
export class TenantryError extends Error {
  override readonly name = 'TenantryError'
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** Field name to message; only with VALIDATION_ERROR. */
  readonly validation: Readonly<Record<string, string>> | undefined
  /** To quote when asking the operator: the server's log has it too. */
  readonly requestId: string
  /** Seconds after which it is worth trying again, where the service says so. */
  readonly retryAfter: number | undefined
  readonly rateLimit: RateLimit | undefined

  constructor({ meta, error }: Failure, status: number, headers: Headers) {
    super(error.message)
    this.code = error.code
    this.status = status
    this.validation = error.validation
    this.requestId = meta.requestId
    this.retryAfter = readRetryAfter(headers.get('retry-after'))
    this.rateLimit = readRateLimit(headers.get('ratelimit'))
  }
}

/** No answer came: the service was not reached, or it redirected. `cause` is what `fetch` threw. */
export class TenantryConnectionError extends Error {
  override readonly name: string = 'TenantryConnectionError'
}

/** No answer came within `timeoutMs`. Whether the service did what was asked is not known. */
export class TenantryTimeoutError extends TenantryConnectionError {
  override readonly name = 'TenantryTimeoutError'
}

/** An answer came, but not one of Tenantry's: mostly a proxy's own, or `baseUrl` leads elsewhere. */
export class TenantryAnswerError extends Error {
  override readonly name = 'TenantryAnswerError'
  readonly status: number
  readonly contentType: string | null
  /** How the answer begins. */
  readonly excerpt: string

  constructor(response: Response, body: string, url: URL, options?: ErrorOptions) {
    const contentType = response.headers.get('content-type')
    super(
      `${url.origin}${url.pathname} answered ${response.status} with ${contentType ?? 'no content type'}, which is not an answer of Tenantry: check baseUrl, and any proxy on the way`,
      options,
    )
    this.status = response.status
    this.contentType = contentType
    this.excerpt = body.slice(0, 200)
  }
}

/** `Retry-After` in seconds; its other form is a date (RFC 9110 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

/** `"ip";r=27;t=3121` (draft-ietf-httpapi-ratelimit-headers). */
function readRateLimit(value: string | null): RateLimit | undefined {
  const remaining = /;\s*r=(\d+)/.exec(value ?? '')?.[1]
  const reset = /;\s*t=(\d+)/.exec(value ?? '')?.[1]
  if (remaining === undefined || reset === undefined) return undefined
  return { remaining: Number(remaining), resetSeconds: Number(reset) }
}
