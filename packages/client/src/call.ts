import { readAnswer } from './answer.ts'
import type { CallOptions } from './call-options.ts'
import { TenantryConnectionError, TenantryTimeoutError } from './errors.ts'
import { buildRequest, type Caller, type CallInput } from './request.ts'
import type { Route } from './route.ts'

/** Takes what `fetch` takes. Not `typeof fetch`: the one of Bun also requires a property. */
export type Fetch = (...request: Parameters<typeof fetch>) => Promise<Response>

/** The credentials and transport of a client. */
export interface Connection extends Caller {
  readonly fetch?: Fetch | undefined
  readonly timeoutMs?: number | undefined
}

/** Calls an operation with the arguments of its method and resolves with the result. Not for operations with lines. */
export async function call(client: Connection, route: Route, args: readonly unknown[]): Promise<unknown> {
  const { given, options } = readArguments(route, args)
  const { url, init } = await buildRequest(client, route, given, options)
  const { timeoutMs = 30_000 } = client
  // Later timers end at once.
  if (!(timeoutMs >= 0 && timeoutMs < 2 ** 31)) {
    throw new TypeError(`timeoutMs must be a number from 0 to 2147483647, not ${timeoutMs}`)
  }
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(Math.ceil(timeoutMs)) : undefined
  const signals = [timeout, options.signal].filter((one) => one !== undefined)
  // Not every runtime has `any`, such as the edge runtime of Next.js.
  const signal = signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null)
  let response: Response
  let text: string
  try {
    response = await (client.fetch ?? globalThis.fetch)(url, { ...init, signal })
    text = await response.text()
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    if (timeout?.aborted) {
      throw new TenantryTimeoutError(
        `No response from ${url.origin} within ${timeoutMs} ms. The service or a proxy may be overloaded`,
        { cause },
      )
    }
    throw new TenantryConnectionError(whyNoAnswer(url, cause), { cause })
  }
  const answer = readAnswer(route, response, text, url)
  // Read only if asked for: the `fetch` of SvelteKit throws at headers that the app has not listed.
  const etag = options.onEtag && response.headers.get('etag')
  if (etag) options.onEtag(etag)
  return answer
}

/** Separates the arguments of a method. */
export function readArguments(route: Route, args: readonly unknown[]): { given: CallInput; options: CallOptions } {
  const rest = [...args]
  const params = route.path.includes('/:') ? (rest.shift() as CallInput['params']) : undefined
  const input = route.takes && rest.shift()
  const query = route.takes?.endsWith(', query') ? rest.shift() : undefined
  const options = (rest.shift() ?? {}) as CallOptions & { query?: unknown }
  return { given: { params, input, query: query ?? options.query }, options }
}

/** Node gives the reason in the cause of the error; browsers do not reveal it, nor the refusal of an invalid key. */
export function whyNoAnswer({ origin }: URL, error: unknown): string {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: string }
  const inBrowser = globalThis.location
    ? ", that tenantKey is valid, and that security.allowedOrigins of the tenant contains this page's origin"
    : ''
  return `No response from ${origin}${code ? ` (${code})` : ''}. Check that the service is running and that baseUrl is correct${inBrowser}`
}
