import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate, path } from './generate-operation-summaries.ts'

test('the summaries of operations are up to date; otherwise run node contract/build/generate-operation-summaries.ts', () => {
  assert.equal(readFileSync(path, 'utf8'), generate())
})
