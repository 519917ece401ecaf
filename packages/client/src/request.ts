import type { AccessToken, CallOptions } from './call-options.ts'
import { linesType } from './lines-source.ts'
import type { Route } from './route.ts'

/** The options of a client that go into requests. */
export interface Caller {
  readonly baseUrl: string
  readonly tenantKey?: string | undefined
  readonly adminKey?: string | undefined
  readonly accessToken?: AccessToken | undefined
  readonly clientIp?: string | undefined
  readonly locale?: string | undefined
}

/** The arguments of one call except its options. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** The body, its lines, or the query. */
  readonly input?: unknown
  /** The query of an operation that also takes a body or lines. */
  readonly query?: unknown
}

/** Errors are always JSON. */
const accepted = {
  json: 'application/json',
  lines: `${linesType}, application/json`,
  text: 'text/plain, application/json',
}

/**
 * The request of one call, without its lines. Redirects are not followed, because they would forward the keys; `error` would not
 * do so either, but Cloudflare Workers lack it.
 */
export async function buildRequest(
  caller: Caller,
  route: Route,
  { params = {}, input, query }: CallInput,
  options: CallOptions,
): Promise<{ url: URL; init: RequestInit }> {
  const url = new URL(rootOf(caller.baseUrl) + fillPath(route.path, params))
  addQuery(url, (route.takes === 'query' ? input : query) ?? {})
  const headers = new Headers({ accept: accepted[route.gives ?? 'json'] })
  await addCaller(headers, caller, route, options)
  setOption(headers, 'x-request-id', 'requestId', options.requestId)
  setOption(headers, 'idempotency-key', 'idempotencyKey', options.idempotencyKey)
  setOption(headers, 'if-match', 'ifMatch', options.ifMatch)
  const init: RequestInit = { method: route.method, headers, redirect: 'manual', credentials: 'omit' }
  if (route.takes?.startsWith('body')) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(input ?? {})
  }
  if (route.takes?.startsWith('lines')) headers.set('content-type', linesType)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  return { url, init }
}

/** `baseUrl` without trailing slashes; in a browser, it can be relative to the page. */
export function rootOf(baseUrl: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href
  // In a browser, undefined would be the path `undefined` of the page's host.
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl, page)) throw notHttp(baseUrl)
  const { protocol, origin, pathname, username, password, search, hash } = new URL(baseUrl, page)
  if (protocol !== 'http:' && protocol !== 'https:') throw notHttp(baseUrl)
  if (username !== '' || password !== '') throw new TypeError('baseUrl must not contain a user name or password')
  const isPage = baseUrl === ''
  if (!isPage && (search !== '' || hash !== '')) throw new TypeError('baseUrl must not contain a query or fragment')
  return origin + (isPage ? '' : pathname.replace(/\/+$/, ''))
}

const notHttp = (baseUrl: unknown): TypeError =>
  new TypeError(`baseUrl must be a URL such as https://accounts.example.com, not ${JSON.stringify(baseUrl)}`)

function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    // URLs drop "." and ".." segments even when encoded, which would call another operation.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`)
    }
    return encodeURIComponent(value)
  })
}

function addQuery(url: URL, query: object): void {
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
}

/** Adds only the credentials that the operation requires. */
async function addCaller(headers: Headers, caller: Caller, { auth }: Route, options: CallOptions): Promise<void> {
  setOption(headers, 'accept-language', 'locale', caller.locale)
  if (auth === 'none') return
  if (auth === 'admin') {
    setOption(headers, 'authorization', 'adminKey', caller.adminKey, 'Bearer ')
    return
  }
  setOption(headers, 'x-tenant-key', 'tenantKey', caller.tenantKey)
  setOption(headers, 'x-client-ip', 'clientIp', caller.clientIp)
  if (auth === 'tenant') return
  const source = options.accessToken === undefined ? caller.accessToken : options.accessToken
  const token = typeof source === 'function' ? await source() : source
  setOption(headers, 'authorization', 'accessToken', token, 'Bearer ')
}

/** The error of `Headers` names no option, and would quote a secret. */
function setOption(
  headers: Headers,
  name: string,
  option: string,
  value: string | null | undefined,
  before = '',
): void {
  if (value == null) return
  try {
    headers.set(name, before + value)
  } catch {
    throw new TypeError(`${option} contains line breaks or characters such as …; copy all of it again`)
  }
}
