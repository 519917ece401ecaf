import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxLineBytes } from '../../contract/operation.ts'
import { readLines } from './read-lines.ts'

/** The lines read from these bytes, sent in chunks of this size. */
async function linesOf(bytes: string | Buffer, size = Number.POSITIVE_INFINITY) {
  const all = Buffer.from(bytes as string)
  async function* pieces() {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, Math.min(at + size, all.length))
  }
  return Array.fromAsync(readLines(pieces()))
}

const tooLong = `Line must contain at most ${maxLineBytes} byte(s)`
/** A line of exactly this many bytes. */
const lineOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

test('reads numbered objects, whatever the chunk size', async () => {
  const text = '{"a":1}\n{"é":"😀"}\r\n\n \t\r\n{"__proto__":null}\nnonsense\n{"b":[2]}'
  const expected = [
    { line: 1, value: { a: 1 } },
    { line: 2, value: { é: '😀' } },
    { line: 5, value: JSON.parse('{"__proto__":null}') },
    { line: 6, problem: 'Invalid JSON' },
    { line: 7, value: { b: [2] } },
  ]
  for (const size of [1, 2, 3, 5, 8, 13, 100]) assert.deepEqual(await linesOf(text, size), expected, `${size}`)
})

test('reads no lines from an empty body', async () => {
  for (const text of ['', '\n', '\r\n\r\n', '   ', '\ufeff', '\ufeff\n'])
    assert.deepEqual(await linesOf(text), [], text)
})

test('reports a line that is not an object as a problem and reads the next one', async () => {
  const bad: readonly [line: string | Buffer, problem: string][] = [
    ['[1]', 'Expected object, received array'],
    ['null', 'Expected object, received null'],
    ['"text"', 'Expected object, received string'],
    ['12', 'Expected object, received number'],
    ['{"a":1}{"a":2}', 'Invalid JSON'],
    ['{"a":1},', 'Invalid JSON'],
    ["{'a':1}", 'Invalid JSON'],
    ['{"a":1}\r{"a":2}', 'Invalid JSON'],
    ['\u00a0', 'Invalid JSON'],
    ['\0', 'Invalid JSON'],
    [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'Invalid JSON'],
    [Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]), 'Invalid UTF-8'],
    [Buffer.from('{"a":"\ud83d"}', 'utf8').subarray(0, 7), 'Invalid UTF-8'],
    [Buffer.from('{"a":1}', 'utf16le'), 'Invalid JSON'],
    ['\ufeff{"a":1}', 'Invalid JSON'],
  ]
  for (const [line, problem] of bad) {
    const bytes = Buffer.concat([Buffer.from('{"a":1}\n'), Buffer.from(line as string), Buffer.from('\n{"a":2}\n')])
    assert.deepEqual(
      await linesOf(bytes),
      [
        { line: 1, value: { a: 1 } },
        { line: 2, problem },
        { line: 3, value: { a: 2 } },
      ],
      `${line}`,
    )
  }
})

test('skips a BOM at the start of the body', async () => {
  for (const size of [1, 2, 100]) {
    assert.deepEqual(await linesOf('\ufeff{"a":1}\n\ufeff{"a":2}\n', size), [
      { line: 1, value: { a: 1 } },
      { line: 2, problem: 'Invalid JSON' },
    ])
  }
})

test('reads no number outside the exact range as a finite one', async () => {
  assert.deepEqual(await linesOf('{"a":1e400,"b":-12345678901234567890,"c":1e-400}'), [
    { line: 1, value: { a: Number.POSITIVE_INFINITY, b: Number.NEGATIVE_INFINITY, c: Number.NaN } },
  ])
})

test('accepts a line of the maximum size and reports one that is a byte longer', async () => {
  const [largest, larger] = [lineOf(maxLineBytes), lineOf(maxLineBytes + 1)]
  for (const size of [1_000, 65_536, 1_000_000]) {
    const read = await linesOf(`${largest}\n${larger}\n{"a":1}\n${larger}`, size)
    assert.deepEqual(
      read.map(({ line, problem }) => [line, problem]),
      [
        [1, undefined],
        [2, tooLong],
        [3, undefined],
        [4, tooLong],
      ],
    )
  }
})
