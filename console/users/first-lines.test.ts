import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLines } from './first-lines.ts'

test('names the users of the first lines, counts blank lines, and keeps what is not JSON', async () => {
  const file = new Blob(['{"email":"ada@example.com"}\r\n\n{"phone":"+33612345678"}\nnot json\n{}\n{"email":5}'])
  assert.deepEqual(await firstLines(file), [
    { line: 1, text: '{"email":"ada@example.com"}', name: 'ada@example.com' },
    { line: 3, text: '{"phone":"+33612345678"}', name: '+33612345678' },
    { line: 4, text: 'not json', name: null },
    { line: 5, text: '{}', name: null },
    { line: 6, text: '{"email":5}', name: null },
  ])
})

test('looks at 20 lines, and reads no more than they can have', async () => {
  const long = `{"email":"a@example.com","note":"${'x'.repeat(65_000)}"}\n`
  assert.equal((await firstLines(new Blob(Array.from({ length: 100 }, () => long)))).length, 20)
  assert.deepEqual(await firstLines(new Blob([])), [])
})
