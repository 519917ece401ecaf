import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf } from './first-lines.ts'

test('names the users of the first lines, counts blank lines, and keeps what is not JSON', async () => {
  const file = new Blob(['{"email":"ada@example.com"}\r\n\n{"phone":"+33612345678"}\nnot json\n{}\n{"email":5}'])
  assert.deepEqual((await beginningOf(file)).lines, [
    { line: 1, text: '{"email":"ada@example.com"}', name: 'ada@example.com' },
    { line: 3, text: '{"phone":"+33612345678"}', name: '+33612345678' },
    { line: 4, text: 'not json', name: null },
    { line: 5, text: '{}', name: null },
    { line: 6, text: '{"email":5}', name: null },
  ])
})

test('looks at 20 lines, and reads no more than they can have', async () => {
  const long = `{"note":"${'x'.repeat(1_048_510)}","email":"a@example.com"}\n`
  const { lines } = await beginningOf(new Blob(Array.from({ length: 22 }, () => long)))
  assert.deepEqual([lines.length, lines[19]!.name, lines[19]!.text.length], [20, 'a@example.com', 1_000])
  assert.deepEqual((await beginningOf(new Blob([]))).lines, [])
})

test('keeps the bytes of the first lines as they are, and drops those of the rest', async () => {
  const latin1 = Buffer.from('\n{"email":"é"}\r\n'.repeat(21), 'latin1')
  const { lines, bytes } = await beginningOf(new Blob([latin1]))
  assert.equal(lines.at(-1)?.line, 40)
  assert.deepEqual(Buffer.from(await bytes.arrayBuffer()), latin1.subarray(0, (latin1.length / 21) * 20))
})
