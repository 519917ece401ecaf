import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../support/source-files.ts'

/** What refuses before or beneath any operation: request checks and parsing, limits, a database that is away. */
const mayConstruct = /^server\/(core|http|storage|limits)\//

test('handlers refuse through their call, so that the compiler checks the code against the operation', () => {
  const makes = /\bnew ServiceError\b|\bimport \{[^}]*\b(?:refuse|invalid)\b[^}]*\} from '[^']*\/service-error\.ts'/
  const offenders = readSourceFiles()
    .filter(({ path, isTest }) => !isTest && path.startsWith('server/') && !mayConstruct.test(path))
    .filter(({ text }) => makes.test(text))
    .map(({ path }) => path)
  assert.deepEqual(offenders, [], 'refuse with `call.refuse(code)`, and declare the code in `errors` of the operation')
})
