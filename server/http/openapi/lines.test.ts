import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf } from '../../../contract/operation.ts'
import { countLines, exchangeLines, listLines } from '../../../test/support/http/lines-server.ts'
import { OpenApi } from './form.testkit.ts'
import { buildOpenApi } from './openapi.ts'

const built = buildOpenApi({ exchangeLines, countLines, listLines }, { version: '0.1.0' })
const { paths } = OpenApi.parse(JSON.parse(JSON.stringify(built)))
const type = 'application/x-ndjson'

test('describes a body of lines by the schema of a line and the size limits', () => {
  const { requestBody } = paths['/admin/lines']!.post!
  assert.deepEqual(Object.keys(requestBody!.content), [type])
  const { properties, required } = requestBody!.content[type]!.schema
  assert.deepEqual([Object.keys(properties!), required], [['n'], ['n']])
  assert.match(requestBody!.description, /at most 1 MiB; at most 64 MiB in all/)
  assert.match(paths['/admin/lines/count']!.post!.requestBody!.description, /at most 512 MiB in all/)
})

test('describes an answer of lines as a line or a failure', () => {
  for (const operation of [paths['/admin/lines']!.post!, paths['/admin/lines']!.get!]) {
    const { content } = Object.values(operation.responses)[0] as { content: Record<string, { schema: object }> }
    assert.deepEqual(Object.keys(content), [type])
    const { anyOf } = content[type]!.schema as { anyOf: object[] }
    assert.deepEqual(anyOf[1], { $ref: '#/components/schemas/Failure' })
  }
  assert.equal(paths['/admin/lines']!.get!.requestBody, undefined)
})

test('declares 413 and 415 for operations with a body of lines only', () => {
  for (const code of ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) {
    assert.ok(errorsOf(countLines).includes(code))
    assert.ok(!errorsOf(listLines).includes(code))
  }
})
