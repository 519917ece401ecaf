import { readAnswer } from './answer.ts'
import { TenantryConnectionError, TenantryTimeoutError } from './errors.ts'
import type { AccessToken, CallOptions, Methods } from './methods.ts'
import { buildRequest, type Caller, type CallInput, rootOf } from './request.ts'
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
  /** Milliseconds until a call is given up; 30,000 when absent, 0 for never. */
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
    (...args: unknown[]) => call(options, route, args),
  ])
  return {
    ...(Object.fromEntries(methods) as Methods),
    withSession: (accessToken) => createTenantryClient({ ...options, accessToken }),
  }
}

async function call(client: TenantryClientOptions, route: Route, args: unknown[]): Promise<unknown> {
  const rest = [...args]
  const params = route.path.includes('/:') ? (rest.shift() as CallInput['params']) : undefined
  const input = route.takes === undefined ? undefined : rest.shift()
  const options = (rest.shift() ?? {}) as CallOptions
  const { url, init } = await buildRequest(client, route, { params, input }, options)
  const { response, text } = await send(client, url, init, options.signal)
  return readAnswer(route, response, text, url)
}

async function send(
  { fetch: given, timeoutMs = 30_000 }: TenantryClientOptions,
  url: URL,
  init: RequestInit,
  signal?: AbortSignal,
) {
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined
  const signals = [timeout, signal].filter((one) => one !== undefined)
  try {
    const request = { ...init, signal: signals.length > 0 ? AbortSignal.any(signals) : null }
    const response = await (given ?? globalThis.fetch)(url, request)
    return { response, text: await response.text() }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (timeout?.aborted) {
      throw new TenantryTimeoutError(
        `${url.origin} did not answer within ${timeoutMs} ms: is it overloaded, or a proxy in between?`,
        { cause },
      )
    }
    throw new TenantryConnectionError(whyNoAnswer(url, cause), { cause })
  }
}

/** Node tells what happened in the cause of the error, browsers tell nobody. */
function whyNoAnswer({ origin }: URL, error: unknown): string {
  const { code, message } = ((error as Error | undefined)?.cause ?? {}) as { code?: string; message?: string }
  if (message?.includes('redirect')) {
    return `${origin} answered with a redirect, which is never followed, because it would carry the key along: set baseUrl to where it leads`
  }
  const inBrowser =
    'location' in globalThis ? ", and is this page's origin among the tenant's security.allowedOrigins" : ''
  return `No answer from ${origin}${code === undefined ? '' : ` (${code})`}: is the service running there, is baseUrl right${inBrowser}?`
}
