import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './import-parts.ts'

async function cut(text: string, maxLines?: number): Promise<[string, number][]> {
  const parts: [string, number][] = []
  for await (const { bytes, linesBefore } of partsOf(new Blob([text]), 8, maxLines))
    parts.push([await bytes.text(), linesBefore])
  return parts
}

test('a file is cut after lines, and each part knows how many are before it', async () => {
  assert.deepEqual(await cut('one\ntwo\nthree\n\nfour\nfive'), [
    ['one\ntwo\n', 0],
    ['three\n\n', 2],
    ['four\n', 4],
    ['five', 5],
  ])
  assert.deepEqual(await cut('one\ntwo'), [['one\ntwo', 0]])
  assert.deepEqual(await cut(''), [])
})

test('a line that is longer than a part is cut: the server refuses it as too long', async () => {
  assert.deepEqual(await cut('123456789\nnext\n'), [
    ['12345678', 0],
    ['9\nnext\n', 0],
  ])
})

test('a part has a limited number of lines: the answer to short ones is many times as long', async () => {
  assert.deepEqual(await cut('a\nb\n\nc\nd', 2), [
    ['a\nb\n', 0],
    ['\nc\n', 2],
    ['d', 4],
  ])
  assert.deepEqual(await cut('a\nb\n', 2), [['a\nb\n', 0]])
})
