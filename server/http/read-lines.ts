import { maxLineBytes } from '../../contract/operation.ts'
import { typeName } from '../../contract/validation-messages.ts'
import type { BodyLine } from '../core/handler.ts'
import { parseJson, utf8 } from './json-body.ts'

const lineFeed = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Bytes, however they are cut, to lines of JSON objects (NDJSON 1.0): each by the rules of a JSON body, CRLF and a missing
 * last line break included. Blank lines are left out, and a BOM before the first, which some editors write. A line that is
 * no object, or too long, is a problem of its own. Holds one line at most; of one that is too long, nothing.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<BodyLine> {
  const held = Buffer.allocUnsafe(maxLineBytes)
  let line = 1
  /** Bytes of the line so far, those included that are not held because they are too many. */
  let length = 0

  function hold(bytes: Buffer): void {
    if (length + bytes.length <= maxLineBytes) bytes.copy(held, length)
    length += bytes.length
  }
  function take(): BodyLine | null {
    const bytes = length > maxLineBytes ? null : held.subarray(0, length)
    length = 0
    return parseLine(bytes, line++)
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      hold(chunk.subarray(start, end))
      start = end + 1
      const taken = take()
      if (taken !== null) yield taken
    }
    hold(chunk.subarray(start))
  }
  const last = take()
  if (last !== null) yield last
}

/** null: a blank line. No bytes: there were too many. */
function parseLine(bytes: Buffer | null, line: number): BodyLine | null {
  if (bytes === null) return { line, problem: `Line must contain at most ${maxLineBytes} byte(s)` }
  const isMarked = line === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  let text: string
  try {
    text = utf8.decode(isMarked ? bytes.subarray(byteOrderMark.length) : bytes)
  } catch {
    return { line, problem: 'Invalid UTF-8' }
  }
  if (/^[ \t\r]*$/.test(text)) return null
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return { line, problem: 'Invalid JSON' }
  }
  const type = typeName(value)
  if (type !== 'object') return { line, problem: `Expected object, received ${type}` }
  return { line, value: value as Record<string, unknown> }
}
