import { readAnswer } from './answer.ts'
import { TenantryAnswerError, TenantryConnectionError, TenantryTimeoutError } from './errors.ts'
import { linesType, readLines } from './lines.ts'
import type { CallOptions } from './methods.ts'
import { buildRequest, type Caller, type CallInput } from './request.ts'
import type { Route } from './routes.ts'

/** Who calls, and through what. */
export interface Connection extends Caller {
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

/** Calls an operation with the arguments of its method, and resolves with its answer. */
export async function call(client: Connection, route: Route, args: readonly unknown[]): Promise<unknown> {
  const { given, options } = readArguments(route, args)
  const { url, init, source } = await buildRequest(client, route, given, options)
  const timeoutMs = route.takes?.startsWith('lines') ? 0 : (client.timeoutMs ?? 30_000)
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined
  const signals = [timeout, options.signal].filter((one) => one !== undefined)
  const signal = signals.length > 0 ? AbortSignal.any(signals) : null
  let response: Response
  let text: string
  try {
    response = await (client.fetch ?? globalThis.fetch)(url, { ...init, signal })
    text = await response.text()
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    if (source.failed) throw source.error
    if (timeout?.aborted) {
      throw new TenantryTimeoutError(
        `${url.origin} did not answer within ${timeoutMs} ms: is it overloaded, or a proxy in between?`,
        { cause },
      )
    }
    throw new TenantryConnectionError(whyNoAnswer(url, cause), { cause })
  } finally {
    source.stop()
  }
  return readAnswer(route, response, text, url)
}

/** Calls an operation that answers with lines, once they are asked for, and gives them as they come. */
export async function* callForLines(
  client: Connection,
  route: Route,
  args: readonly unknown[],
): AsyncGenerator<unknown, void> {
  const { given, options } = readArguments(route, args)
  const { url, init, source } = await buildRequest(client, route, given, options)
  let response: Response | undefined
  try {
    response = await (client.fetch ?? globalThis.fetch)(url, { ...init, signal: options.signal ?? null })
    if (!response.headers.get('content-type')?.startsWith(linesType)) {
      const text = await response.text()
      if (!response.ok) readAnswer(route, response, text, url)
      throw new TenantryAnswerError(response, text, url)
    }
    yield* readLines(response, url)
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    if (source.failed) throw source.error
    // `fetch` and the body it gives fail with a TypeError; whatever else comes is said already.
    if (!(cause instanceof TypeError)) throw cause
    const why = response === undefined ? whyNoAnswer(url, cause) : whyBrokenOff(url)
    throw new TenantryConnectionError(why, { cause })
  } finally {
    source.stop()
  }
}

function readArguments(route: Route, args: readonly unknown[]): { given: CallInput; options: CallOptions } {
  const rest = [...args]
  const params = route.path.includes('/:') ? (rest.shift() as CallInput['params']) : undefined
  const input = route.takes === undefined ? undefined : rest.shift()
  const query = route.takes === 'lines, query' ? rest.shift() : undefined
  return { given: { params, input, query }, options: (rest.shift() ?? {}) as CallOptions }
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

const whyBrokenOff = ({ origin }: URL): string =>
  `The answer of ${origin} broke off: was the service stopped, or a proxy in between?`
