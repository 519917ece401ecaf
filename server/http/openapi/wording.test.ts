import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOperations } from '../../../contract/operations.ts'
import { buildOpenApi } from './openapi.ts'

/** Words of internal documents and of the code, which a reader of the API cannot look up. */
const internal = /\b(?:contract|design|threat) |\bgates?\b|dispatcher|courier/i

test('the document cites nothing internal', () => {
  const document = JSON.stringify(buildOpenApi(allOperations, { version: '0.1.0' }), null, 1)
  const lines = document.split('\n').map((line) => line.trim())
  assert.deepEqual(
    lines.filter((line) => internal.test(line)),
    [],
  )
})
