import { call, type Fetch } from './call.ts'
import { adminRoutes } from './generated/admin-routes.ts'
import type { AdminAnswers, AdminInputs, AdminOperations } from './generated/admin-types.ts'
import { exchangeLines } from './lines.ts'
import { methodsOf } from './methods.ts'
import { rootOf } from './request.ts'

export type { CallOptions } from './call-options.ts'
export {
  type RateLimit,
  TenantryAnswerError,
  TenantryConnectionError,
  TenantryError,
  TenantryTimeoutError,
} from './errors.ts'
export type * from './generated/admin-types.ts'
export type * from './generated/types.ts'
export type { Lines } from './lines-source.ts'
export type { ComponentType, FieldDetail } from './profile-types.ts'

/** The options of an operator's client. */
export interface TenantryAdminOptions {
  /** URL of the service, such as `https://accounts.example.com`, with an optional path. */
  readonly baseUrl: string
  /**
   * Never use it in a web page: the root key has full access to every tenant. Omit it when `fetch` authenticates, as a page
   * with the console's session does. Calls then have no `Authorization` header.
   */
  readonly adminKey?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Timeout of a call in milliseconds. Default: 30,000; 0 disables it. Does not apply to calls with lines. */
  readonly timeoutMs?: number | undefined
}

/** One method per operation of the operator. Rejects with the same errors as `TenantryClient`. */
export interface TenantryAdmin extends AdminOperations {}

/** The input of an operator's operation: its body or its query. */
export type AdminInputOf<Name extends keyof AdminOperations> = Name extends keyof AdminInputs
  ? AdminInputs[Name]
  : undefined

/** The answer of an operator's operation. */
export type AdminOutputOf<Name extends keyof AdminOperations> = AdminAnswers[Name]

/**
 * A client of the operator, for tools and back ends. Requires only `fetch`.
 *
 * @throws {TypeError} `baseUrl` is not an http or https URL
 */
export function createTenantryAdmin(options: TenantryAdminOptions): TenantryAdmin {
  rootOf(options?.baseUrl)
  return methodsOf(adminRoutes, (route, args) =>
    route.gives === 'lines' ? exchangeLines(options, route, args) : call(options, route, args),
  )
}
