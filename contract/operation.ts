import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { LimitName, limits } from './limits.ts'
import type { Scope } from './scopes.ts'
import type { Capability } from './tenants/capabilities.ts'

/**
 * The credentials an operation requires: none, the tenant key, tenant key and access token, tenant key and optionally an
 * access token (verified when present), the admin key, or the cookie of the console's session, which may be missing.
 */
export type Authentication = 'none' | 'tenant' | 'tenant, user' | 'tenant, user?' | 'admin' | 'console'

/** One operation of the API. Server, OpenAPI document, client types and tests all derive from this declaration. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Fastify's syntax: parameters are `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description: string
  readonly auth: Authentication
  /** What `admin` operations require of the operator; `any`: every operator may call it. */
  readonly scope?: Scope | 'any'
  /** Scopes that are required in addition, by query parameter: when it is `true`, or when one of a group is sent. */
  readonly queryScopes?: Readonly<Record<string, Scope>>
  /** Where an `admin` operation differs from the default; see `reachOf`. */
  readonly reach?: 'own' | 'tenantQuery'
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
  /** A request may have an `Idempotency-Key`: repeating it within 24 hours answers the same and has no second effect. */
  readonly idempotent?: true
  /**
   * The answer has the revision of what it shows as its `ETag`. A change may name the revision that it expects in `If-Match`,
   * and declares the code that answers a different one.
   */
  readonly revisioned?: true
  /** Maximum body size in bytes; see `maxBodyBytesOf` for the default. */
  readonly maxBodyBytes?: number
  /** The answer stores the token of a session in the cookie of the console, or clears the cookie. */
  readonly setsCookie?: true
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
  /** Codes that follow from the other members are left out; `errorsOf` adds them. */
  readonly errors: readonly ErrorCode[]
}

/** Preserves the literal types of a declaration. */
export const operation = <const O extends Operation>(declaration: O): O => declaration

/** Maximum size of one NDJSON line in bytes, without the line break: a user with the largest profile and 1000 accounts at providers. */
export const maxLineBytes = 1_048_576

/** Maximum body size of an operation in bytes. */
export const maxBodyBytesOf = ({ maxBodyBytes, bodyLines }: Operation): number =>
  maxBodyBytes ?? (bodyLines === undefined ? 65_536 : 536_870_912)

/**
 * Whether undeclared query parameters are rejected. Under `/admin` they are: a misspelt filter would return everything.
 * Elsewhere they are ignored, because clients may be newer than the server.
 */
export const hasStrictQuery = ({ path }: Operation): boolean => path.startsWith('/admin/')

/**
 * What an `admin` operation reaches, which decides what operators bound to tenants may call:
 * - `tenant`, the default with `:tenantId` in the path: only for their tenants;
 * - `deployment`, the default without: not at all;
 * - `own`: always; it answers only what concerns the operator and their tenants;
 * - `tenantQuery`: only with one of their tenants in the query parameter `tenantId`.
 */
export type Reach = 'tenant' | 'deployment' | 'own' | 'tenantQuery'

export const reachOf = ({ reach, path }: Operation): Reach =>
  reach ?? (/:tenantId(\/|$)/.test(path) ? 'tenant' : 'deployment')

/** Whether a request may name the revision that it changes in `If-Match`. */
export const hasPrecondition = ({ revisioned, method }: Operation): boolean => revisioned === true && method !== 'GET'

/** The limit as `app.ts` lists it, such as "30/h", or "-" for an operation without one. */
export type LimitOf<O extends Operation> = O['limit'] extends LimitName ? (typeof limits)[O['limit']] : '-'

// Limits and tenant keys may be looked up in the database, so every request check can answer SERVICE_UNAVAILABLE.
const tenantKeyErrors = ['MISSING_TENANT_KEY', 'INVALID_TENANT_KEY', 'TENANT_SUSPENDED', 'SERVICE_UNAVAILABLE'] as const
const userTokenErrors = ['INVALID_USER_TOKEN', 'TOKEN_USER_NOT_FOUND', 'RESTRICTED_CAPABILITY'] as const
const bodyErrors = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const errorsByAuthentication = {
  none: [],
  tenant: tenantKeyErrors,
  'tenant, user?': [...tenantKeyErrors, ...userTokenErrors],
  'tenant, user': [...tenantKeyErrors, 'MISSING_USER_TOKEN', ...userTokenErrors],
  admin: ['MISSING_ADMIN_KEY', 'INVALID_ADMIN_KEY', 'FOREIGN_ORIGIN', 'TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE'],
  console: ['FOREIGN_ORIGIN', 'SERVICE_UNAVAILABLE'],
} as const satisfies { [A in Authentication]: readonly ErrorCode[] }

const errorsByMember = {
  limit: ['TOO_MANY_REQUESTS'],
  capability: ['RESTRICTED_CAPABILITY'],
  query: ['VALIDATION_ERROR'],
  body: [...bodyErrors, 'VALIDATION_ERROR'],
  bodyLines: bodyErrors,
  idempotent: ['IDEMPOTENCY_KEY_REUSED', 'VALIDATION_ERROR'],
} as const satisfies { [M in keyof Operation]?: readonly ErrorCode[] }

const members = Object.keys(errorsByMember) as (keyof typeof errorsByMember)[]

type ErrorsOfScope<O extends Operation> =
  | (O['scope'] extends Scope ? 'INSUFFICIENT_SCOPE' : never)
  | (O['reach'] extends 'tenantQuery' ? 'TENANT_NOT_FOUND' : never)

/** `errorsOf` as a type: the codes that the handler of an operation may refuse with. */
export type ErrorsOf<O extends Operation> =
  | O['errors'][number]
  | (typeof errorsByAuthentication)[O['auth']][number]
  | (typeof errorsByMember)[keyof typeof errorsByMember & keyof O][number]
  | (O['path'] extends `/admin/${string}` ? 'VALIDATION_ERROR' : never)
  | ErrorsOfScope<O>
  | 'INTERNAL_SERVER'

/** Every code an operation can answer: those it declares, and those that follow from its request checks and parsing. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...operation.errors, ...errorsByAuthentication[operation.auth]])
  for (const member of members) {
    if (operation[member] === undefined) continue
    for (const code of errorsByMember[member]) codes.add(code)
  }
  if (hasStrictQuery(operation)) codes.add('VALIDATION_ERROR')
  if (operation.scope !== undefined && operation.scope !== 'any') codes.add('INSUFFICIENT_SCOPE')
  if (operation.reach === 'tenantQuery') codes.add('TENANT_NOT_FOUND')
  return [...codes.add('INTERNAL_SERVER')]
}
