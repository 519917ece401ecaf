import { call, type Fetch } from './call.ts'
import type { AccessToken } from './call-options.ts'
import { routes } from './generated/routes.ts'
import { type Methods, methodsOf } from './methods.ts'
import { type Caller, rootOf } from './request.ts'
import type { Route } from './route.ts'

/** The options of a client. */
export interface TenantryClientOptions extends Omit<Caller, 'adminKey'> {
  /** URL of the service, such as `https://accounts.example.com`, with an optional path. In a browser, '' is the page's host. */
  readonly baseUrl: string
  /** The key of the tenant. */
  readonly tenantKey?: string | undefined
  /** Access token of the signed-in user. A function is called for each request that needs the token. */
  readonly accessToken?: AccessToken | undefined
  /**
   * Address of the end user, for back ends with a secret tenant key. Limits then count that address. One address without a port, not the
   * list of `X-Forwarded-For`; the service ignores anything else.
   */
  readonly clientIp?: string | undefined
  /** Language of messages as a BCP 47 tag; sent as `Accept-Language`. */
  readonly locale?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Timeout of a call in milliseconds. Default: 30,000; 0 disables it. */
  readonly timeoutMs?: number | undefined
}

/** One method per operation for a tenant's applications. Rejects with `TenantryError` on an error response, `TenantryConnectionError` without a response. */
export interface TenantryClient extends Methods {
  /** A copy of the client for a signed-in user. */
  withSession(accessToken: AccessToken): TenantryClient
}

const optionsKey = Symbol()

/** The options of a client, for its sessions; undefined for a copy, whose methods may be others. */
export const optionsOf = (client: TenantryClient): TenantryClientOptions | undefined =>
  (client as { [optionsKey]?: () => TenantryClientOptions })[optionsKey]?.()

/**
 * A client of a tenant's applications, for browsers and Node. Requires only `fetch`. The operator's operations are in
 * `@tenantry/client/admin`.
 *
 * @throws {TypeError} `baseUrl` is not an http or https URL
 */
export function createTenantryClient(options: TenantryClientOptions): TenantryClient {
  rootOf(options?.baseUrl)
  const client = clientWith(options, (route, args) => call(options, route, args))
  // Not in a WeakMap, because reactive state (Vue, Svelte, Solid) holds a proxy of the client.
  Object.defineProperty(client, optionsKey, { value: () => options })
  return client
}

/** A client whose methods call `perform`. */
export function clientWith(
  options: TenantryClientOptions,
  perform: (route: Route, args: readonly unknown[], name: string) => unknown,
): TenantryClient {
  return {
    ...methodsOf<Methods>(routes, perform),
    withSession: (accessToken) => createTenantryClient({ ...options, accessToken }),
  }
}
