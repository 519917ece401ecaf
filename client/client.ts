import { call, callForLines } from './call.ts'
import type { AccessToken, Methods } from './methods.ts'
import { type Caller, rootOf } from './request.ts'
import { type Route, routes } from './routes.ts'

export { TenantryAnswerError, TenantryConnectionError, TenantryError, TenantryTimeoutError } from './errors.ts'

/** How a client is made. */
export interface TenantryClientOptions extends Caller {
  /** Where the service is: `https://accounts.example.com`, a path behind it included. In a browser '' is the page's own host. */
  readonly baseUrl: string
  /** For the operations of a tenant's applications. */
  readonly tenantKey?: string
  /** For the operator's operations; never in a page that others open. */
  readonly adminKey?: string
  /** Of the signed-in user; a function is asked on every call that wants it. */
  readonly accessToken?: AccessToken
  /** The end user's address, for a back end with a secret tenant key: limits then count that address. */
  readonly clientIp?: string
  /** Language of messages, BCP 47; sent as `Accept-Language`. */
  readonly locale?: string
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Milliseconds until a call is given up; 30,000 when absent, 0 for never. Lines take the time they take. */
  readonly timeoutMs?: number
}

/** One method an operation of the service. All reject with `TenantryError` when refused, `TenantryConnectionError` without an answer. */
export interface TenantryClient extends Methods {
  /** The same client for one signed-in user. */
  withSession(accessToken: AccessToken): TenantryClient
}

/**
 * A client of the service, for browsers and Node; needs `fetch` and nothing else.
 *
 * @throws {TypeError} `baseUrl` is no http or https URL
 */
export function createTenantryClient(options: TenantryClientOptions): TenantryClient {
  rootOf(options.baseUrl)
  const methods = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (...args: unknown[]) => (route.gives === 'lines' ? callForLines : call)(options, route, args),
  ])
  return {
    ...(Object.fromEntries(methods) as Methods),
    withSession: (accessToken) => createTenantryClient({ ...options, accessToken }),
  }
}
