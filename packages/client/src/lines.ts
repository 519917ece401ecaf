import { isFailure, readAnswer, whyRedirected } from './answer.ts'
import { type Connection, readArguments, whyNoAnswer } from './call.ts'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from './errors.ts'
import { type Lines, linesType } from './lines-source.ts'
import { buildRequest } from './request.ts'
import type { Route } from './route.ts'

/** The lines sent by one call. */
interface LinesSource {
  /** Whether the iterable of lines failed, and its error. */
  failed: boolean
  error?: unknown
  /** Stops reading the lines; `fetch` does not do so when a call ends early. */
  stop(): void
}

/** Calls an operation that responds with lines. Starts with the first read and yields lines as they arrive. */
export async function* exchangeLines(
  client: Connection,
  route: Route,
  args: readonly unknown[],
): AsyncGenerator<unknown, void> {
  const { given, options } = readArguments(route, args)
  const { url, init } = await buildRequest(client, route, given, options)
  const source: LinesSource = { failed: false, stop() {} }
  const body = route.takes?.startsWith('lines') ? await linesBody(given.input as Lines, source) : undefined
  let response: Response | undefined
  try {
    response = await (client.fetch ?? globalThis.fetch)(url, {
      ...init,
      ...(body !== undefined && { body, duplex: 'half', redirect: redirectOfLines() }),
      signal: options.signal ?? null,
    })
    if (!response.headers.get('content-type')?.startsWith(linesType)) {
      const text = await response.text()
      if (!response.ok) readAnswer(route, response, text, url)
      throw new TenantryAnswerError(response, text, url)
    }
    yield* readLines(response, url)
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    if (source.failed) throw source.error
    // `fetch` and its body fail with a TypeError; other errors already have their own class.
    if (!(cause instanceof TypeError)) throw cause
    throw new TenantryConnectionError(response === undefined ? whyNotSent(url, cause) : whyBrokenOff(url), { cause })
  } finally {
    source.stop()
  }
}

/** Node keeps all sent lines in memory, for the target of a redirect, unless redirects fail. */
function redirectOfLines(): RequestRedirect {
  try {
    return new Request('http://localhost', { redirect: 'error' }).redirect
  } catch {
    return 'manual' // Cloudflare Workers have no `error`.
  }
}

/** Node gives the redirect as the cause. */
const whyNotSent = (url: URL, error: TypeError): string =>
  String(error.cause).includes('redirect') ? whyRedirected(url) : whyNoAnswer(url, error)

const whyBrokenOff = ({ origin }: URL): string =>
  `The response of ${origin} ended early. The service or a proxy may have been stopped`

/** Lines as the body of a request. Collected first in browsers, which cannot send streams over HTTP/1.1. */
async function linesBody(lines: Lines, source: LinesSource): Promise<NonNullable<RequestInit['body']>> {
  if (typeof lines === 'string' || lines instanceof Blob) return lines
  // `fetch` refuses shared memory. TypeScript before 5.7 cannot tell it apart, so `Lines` does not.
  if (lines instanceof Uint8Array) return lines as Uint8Array<ArrayBuffer>
  const stream = lines instanceof ReadableStream ? lines : streamOf(lines, source)
  return globalThis.location ? new Response(stream).blob() : stream
}

type Pieces = Iterable<object | string> | AsyncIterable<object | string>

function streamOf(lines: Pieces, source: LinesSource): ReadableStream<Uint8Array> {
  const chunks = chunksOf(lines)
  source.stop = () => void chunks.return().catch(() => {}) // The call is over, so its errors do not matter.
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        source.failed = true
        source.error = error
        throw error
      }
    },
  })
}

const chunkBytes = 65_536

/**
 * Combines lines into chunks, but does not hold lines back while the next one is pending. Yields to the event loop between
 * chunks, so that a synchronous source does not block the process.
 */
async function* chunksOf(lines: Pieces): AsyncGenerator<Uint8Array, void> {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
  let next: ReturnType<typeof iterator.next> | undefined
  let soon: Promise<undefined> | undefined
  let parts: Uint8Array[] = []
  let length = 0
  let ended = false
  try {
    while (!ended) {
      next ??= iterator.next()
      const came = await (soon === undefined ? next : Promise.race([next, soon]))
      if (came !== undefined) {
        next = undefined
        ended = came.done === true
        if (!ended) length += parts[parts.push(bytesOf(came.value)) - 1]!.length
        soon ??= new Promise((resolve) => setTimeout(resolve))
        if (!ended && length < chunkBytes) continue
      }
      await soon
      yield joined(parts, length)
      parts = []
      length = 0
      soon = undefined
    }
  } finally {
    if (!ended) await iterator.return?.()
  }
}

const encoder = new TextEncoder()

function bytesOf(line: object | string): Uint8Array {
  if (line instanceof Uint8Array) return line
  return encoder.encode(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/**
 * The lines of a response as they arrive. Ending the iteration ends the call.
 *
 * @throws {TenantryConnectionError} the last line is not `done`: a proxy can end a response that was cut off like a whole one
 */
async function* readLines(response: Response, url: URL): AsyncGenerator<unknown, void> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let last: unknown
  const read = (line: string): unknown => {
    last = readLine(line, response, url)
    return last
  }
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield read(line)
    }
    if (rest !== '') yield read(rest)
    if ((last as { done?: unknown } | undefined)?.done === undefined)
      throw new TenantryConnectionError(whyBrokenOff(url))
  } finally {
    await reader.cancel().catch(() => {}) // The original error is reported.
  }
}

/**
 * One line of an answer.
 *
 * @throws {TenantryError} the service failed after the first line; the error is the last line
 * @throws {TenantryAnswerError} the line is not JSON
 */
function readLine(line: string, response: Response, url: URL): unknown {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new TenantryAnswerError(response, line, url, { cause })
  }
  if (isFailure(value)) throw new TenantryError(value, value.error.status, response.headers)
  return value
}
