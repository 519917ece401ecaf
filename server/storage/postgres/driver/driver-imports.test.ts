import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { readSourceFiles } from '../../../../test/support/source-files.ts'

const driver = 'server/storage/postgres/driver'
const files = readSourceFiles().filter(({ isTest }) => !isTest)
const inDriver = files.filter(({ path }) => dirname(path) === driver)

/** What the driver may know outside its folder: how statements and their errors look, and the trust settings of TLS. */
const allowed = [
  'server/core/tls-advice.ts',
  'server/core/tls-files.ts',
  'server/storage/database.ts',
  'server/storage/statement.ts',
  'server/storage/storage-error.ts',
]

test('the driver imports nothing of the rest of server/storage/postgres', () => {
  assert.ok(inDriver.length > 10)
  const outside = inDriver
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => dirname(path) !== driver)
  assert.deepEqual([...new Set(outside)].sort(), allowed)
})

test('pg-internals.ts is the only file that uses private parts of pg', () => {
  const privatePart =
    /\bpipeline: true|\bprocessID\b|\.connection\b.*\bstream\b|extends pg\.Query|\bhandleReadyForQuery\(\): void$/
  const users = files
    .filter(({ path, text }) => path.startsWith('server/') && privatePart.test(text))
    .map(({ path }) => path)
  assert.deepEqual(users, [`${driver}/pg-internals.ts`])
})

test('only the driver imports pg', () => {
  const importers = files
    .filter(({ path, text }) => path.startsWith('server/') && /from 'pg'/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(
    importers.filter((path) => dirname(path) !== driver),
    [],
  )
})
