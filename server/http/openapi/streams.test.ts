import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import { allOperations, streams } from '../../../contract/operations.ts'
import { OpenApi, Response } from './form.testkit.ts'
import { buildOpenApi } from './openapi.ts'

const schemasOf = ({ content = {} }: z.infer<typeof Response>) =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, media?.schema]))

test('describes a stream as events, with the errors of its request checks and Last-Event-ID', () => {
  const streaming = OpenApi.parse(JSON.parse(JSON.stringify(buildOpenApi(allOperations, { version: '0.1.0' }))))
  for (const [name, operation] of Object.entries<Operation>(streams)) {
    const { path, params, query } = operation
    const described = streaming.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.get
    assert.equal(described?.operationId, name)
    const data = name === 'streamTestingChannelMessages' ? 'TestingChannelMessage' : 'RecordedEvent'
    const schemas = { 'text/event-stream': { $ref: `#/components/schemas/${data}` } }
    assert.deepEqual(schemasOf(Response.parse(described.responses['200'])), schemas)
    const statuses = `200 400 401 403 ${name === 'streamDeploymentEvents' ? '' : '404 '}408 429 431 500 503`
    assert.equal(Object.keys(described.responses).sort().join(' '), statuses)
    const parameters = described.parameters?.map((one) => ('name' in one ? `${one.in} ${one.name}` : one.$ref))
    const named = Object.keys(params?.shape ?? {}).map((field) => `path ${field}`)
    named.push(...Object.keys(query!.shape).map((field) => `query ${field}`), 'header Last-Event-ID')
    assert.deepEqual(parameters, named)
  }
})
