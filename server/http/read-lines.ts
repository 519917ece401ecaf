import { typeName } from '../../contract/fields/messages.ts'
import { maxLineBytes } from '../../contract/operation.ts'
import type { BodyLine } from '../core/handler.ts'
import { parseJson, utf8 } from './json-body.ts'

const lineFeed = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Reads NDJSON 1.0: each line is a JSON object by the rules of a JSON body. CRLF, a missing last line break, blank lines
 * and a BOM at the start are accepted. A line that is not an object, or too long, is reported as a problem. Buffers at
 * most one line, and nothing of a line that is too long.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<BodyLine> {
  const held = Buffer.allocUnsafe(maxLineBytes)
  let line = 1
  /** Bytes of the line so far, including those that are not buffered because the line is too long. */
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

/** @param bytes null when the line is too long @returns null for a blank line */
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
