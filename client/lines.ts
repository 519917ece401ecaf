import { isFailure } from './answer.ts'
import { TenantryAnswerError, TenantryError } from './errors.ts'

/** The media type of lines (NDJSON). */
export const linesType = 'application/x-ndjson'

/**
 * Lines to send: objects, each of which becomes one, sent as they come; or what is lines already, whole (text, bytes, a
 * file) or in pieces of text or bytes (a stream of a file). A pause of 20 s between them is taken for their end.
 */
export type Lines =
  | string
  | Uint8Array<ArrayBuffer>
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<object | string>
  | AsyncIterable<object | string>

/** What became of the lines given: why there are no more of them, if it is their own fault. */
export interface LinesSource {
  failed: boolean
  error?: unknown
}

/** Lines as the body of a request. Browsers send no streams over HTTP/1.1: there it is collected first. */
export async function linesBody(lines: Lines, source: LinesSource): Promise<BodyInit> {
  if (typeof lines === 'string' || lines instanceof Blob || lines instanceof Uint8Array) return lines
  const stream = lines instanceof ReadableStream ? lines : streamOf(lines, source)
  return 'location' in globalThis ? new Response(stream).blob() : stream
}

function streamOf(lines: Iterable<object | string> | AsyncIterable<object | string>, source: LinesSource) {
  const pieces = Symbol.asyncIterator in lines ? piecesOf(lines, 0) : piecesOf(lines, 65_536)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        source.failed = true
        source.error = error
        throw error
      }
    },
    async cancel() {
      await pieces.return()
    },
  })
}

/** Text is put together to so many characters; none where lines may be long in coming. */
async function* piecesOf(
  lines: Iterable<object | string> | AsyncIterable<object | string>,
  enough: number,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const line of lines) {
    if (line instanceof Uint8Array) {
      yield encoder.encode(text)
      yield line
      text = ''
      continue
    }
    text += typeof line === 'string' ? line : `${JSON.stringify(line)}\n`
    if (text.length <= enough) continue
    yield encoder.encode(text)
    text = ''
  }
  yield encoder.encode(text)
}

/**
 * The lines of an answer, as they come. Whoever asks for no more of them ends the call.
 *
 * @throws {TenantryError} the service refused on the way: its last line
 * @throws {TenantryAnswerError} a line is no JSON
 */
export async function* readLines(response: Response, url: URL): AsyncGenerator<unknown, void> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield parseLine(line, response, url)
    }
  } finally {
    await reader.cancel().catch(() => {}) // It has failed already, and that is told.
  }
}

function parseLine(line: string, response: Response, url: URL): unknown {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new TenantryAnswerError(response, line, url, { cause })
  }
  if (isFailure(value)) throw new TenantryError(value, value.error.status, response.headers)
  return value
}
