import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { z } from 'zod'
import { errors } from '../../../contract/errors.ts'
import { Failure } from '../../../contract/failure.ts'
import { errorsOf, hasStrictQuery, type Operation } from '../../../contract/operation.ts'
import { consoleOperations, operations } from '../../../contract/operations.ts'
import { parseLimits } from '../../limits/limit-settings.ts'
import { transportRefusals } from './answers.ts'
import { type JsonSchema, OpenApi, type Parameter, type Response } from './form.testkit.ts'
import { buildOpenApi } from './openapi.ts'

type Document = z.infer<typeof OpenApi>
type Answer = z.infer<typeof Response>

const described = { ...operations, ...consoleOperations }
const table: readonly [string, Operation][] = Object.entries(described)
const info = { version: '0.1.0' }
const raw = JSON.parse(JSON.stringify(buildOpenApi(described, info)))
const document: Document = OpenApi.parse(raw)

const find = ({ method, path }: Operation) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase() as 'get'] ?? assert.fail(`${method} ${path}`)

function follow<T>(value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
  const steps = value.$ref.slice(2).split('/')
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], raw) as T
}

function* walk(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield [key, inner]
    yield* walk(inner)
  }
}

function answerOf(operation: Operation, status: number | string): Answer {
  const found = find(operation).responses[String(status)]
  assert.ok(found, `${operation.method} ${operation.path} has no ${status}`)
  return follow(found)
}

const schemaOf = (answer: Answer): JsonSchema | undefined => answer.content?.['application/json']?.schema

/** The values of `error.code` or `error.status` in an error's schema. */
const narrowing = (answer: Answer, field: 'code' | 'status'): JsonSchema =>
  schemaOf(answer)?.allOf?.[1]?.properties?.['error']?.properties?.[field] ?? assert.fail(`says nothing of ${field}`)

describe('the document', () => {
  test('has exactly the operations of the contract', () => {
    for (const [name, operation] of table) assert.equal(find(operation).operationId, name)
    const held = Object.values(document.paths).flatMap((path) => Object.values(path))
    assert.equal(held.length, table.length)
    assert.equal(new Set(held.map(({ operationId }) => operationId)).size, table.length)
  })

  test('has no dangling reference and no unused component', () => {
    const referred = new Set<string>()
    for (const [key, value] of walk(raw)) {
      if (key !== '$ref') continue
      assert.ok(follow({ $ref: String(value) }) !== undefined, String(value))
      referred.add(String(value))
    }
    for (const kind of ['schemas', 'responses', 'parameters', 'headers', 'examples'] as const) {
      for (const name of Object.keys(document.components[kind])) {
        assert.ok(referred.has(`#/components/${kind}/${name}`), `${kind} ${name} is not used`)
      }
    }
  })

  test('has no traces of Zod', () => {
    for (const [key] of walk(raw)) assert.doesNotMatch(key, /^(~standard|_zod|\$defs|def)$/)
    assert.doesNotMatch(JSON.stringify(raw), /#\/\$defs|__schema\d|"\$schema":"/)
  })

  test('is deterministic, and no name depends on the order of operations', () => {
    assert.equal(JSON.stringify(buildOpenApi(described, info)), JSON.stringify(raw))
    const reversed = JSON.parse(JSON.stringify(buildOpenApi(Object.fromEntries(table.toReversed()), info)))
    assert.deepEqual(reversed.components, raw.components)
  })

  test('describes every tag and has it in a group', () => {
    const used = new Set(
      Object.values(document.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
    )
    assert.deepEqual(new Set(document.tags.map(({ name }) => name)), used)
    assert.deepEqual(document['x-tagGroups'].flatMap(({ tags }) => tags).sort(), [...used].sort())
  })

  test('has the URL of the service', () => {
    const there = buildOpenApi(operations, { ...info, serverUrl: 'https://accounts.example.com' }) as Document
    assert.deepEqual(there.servers, [{ url: 'https://accounts.example.com' }])
  })
})

describe('refusals', () => {
  test('list every code of an operation under its status, as value, description and example', () => {
    for (const [name, operation] of table) {
      for (const code of [...errorsOf(operation), ...transportRefusals]) {
        const { status, message } = errors[code]
        const answer = answerOf(operation, status)
        assert.ok(narrowing(answer, 'code').enum?.includes(code), `${name} ${code}`)
        assert.equal(narrowing(answer, 'status').const, status)
        assert.ok(answer.description.replaceAll('\\', '').includes(message))
        const { value } = follow(answer.content!['application/json']!.examples![code]!)
        assert.partialDeepStrictEqual(Failure.parse(value).error, { message, code, status })
      }
    }
  })

  test('list no other code', () => {
    for (const [name, operation] of table) {
      const told = Object.entries(find(operation).responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status]) => narrowing(answerOf(operation, status), 'code').enum)
      assert.deepEqual(told.sort(), [...errorsOf(operation), ...transportRefusals].sort(), name)
    }
  })

  test('have an example of VALIDATION_ERROR with the messages of the service', () => {
    const { examples } = answerOf(operations.resendOtp, 400).content!['application/json']!
    const { value } = follow(examples!['VALIDATION_ERROR']!)
    assert.deepEqual(Failure.parse(value).error.validation, { id: 'Required', scope: 'Required' })
  })
})

const schemasOf = ({ content = {} }: Answer) =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, media?.schema]))

describe('answers', () => {
  test('have X-Request-Id', () => {
    for (const [, operation] of table) {
      for (const status of Object.keys(find(operation).responses))
        assert.ok(answerOf(operation, status).headers['X-Request-Id'])
    }
  })

  test('have the rate limit headers on limited operations, and Retry-After on 429 and 503', () => {
    for (const [name, operation] of table) {
      const { headers } = answerOf(operation, operation.status)
      const isLimited = operation.limit !== undefined
      assert.deepEqual(
        [headers['RateLimit'] !== undefined, headers['RateLimit-Policy'] !== undefined],
        [isLimited, isLimited],
        name,
      )
      assert.equal(find(operation)['x-rate-limit']?.name, operation.limit)
      if (isLimited) assert.ok(answerOf(operation, 429).headers['Retry-After'])
      if (operation.auth !== 'none') assert.ok(answerOf(operation, 503).headers['Retry-After'], name)
    }
    const { description, 'x-rate-limit': limit } = find(operations.resetPassword)
    assert.deepEqual(limit, { name: 'reset-password', quota: 10, windowSeconds: 3600, per: 'client address' })
    assert.match(description!, /10 requests per client address in any hour/)
  })

  test('show the limits of the deployment', () => {
    const limits = parseLimits('resend=5/m,profile=off')
    const { paths } = buildOpenApi(operations, { ...info, limits }) as Document
    assert.deepEqual(paths['/otp/resend']?.post?.['x-rate-limit']?.windowSeconds, 60)
    assert.equal(paths['/account/profile']?.patch?.['x-rate-limit'], undefined)
  })

  test('have successes in the envelope, unless the operation has none or no body', () => {
    for (const [name, operation] of table) {
      const answered = schemaOf(answerOf(operation, operation.status))
      if (operation.status === 204) assert.equal(answered, undefined, name)
      else if (operation.outputLines)
        assert.deepEqual(Object.keys(answerOf(operation, 200).content ?? {}), ['application/x-ndjson'], name)
      else if (operation.outputText)
        assert.deepEqual(schemasOf(answerOf(operation, 200)), { [operation.outputText]: { type: 'string' } })
      else if (operation.envelope !== false) assert.deepEqual(answered?.required, ['meta', 'data'], name)
      else assert.ok(!('meta' in (follow(answered!).properties ?? {})), name)
    }
  })

  test('have an ETag and 304 for documents', () => {
    for (const operation of [operations.getTenantConfiguration, operations.getProfileSchemaDocument]) {
      const [whole, unchanged] = [answerOf(operation, 200), answerOf(operation, 304)]
      assert.ok(whole.headers['ETag'] && unchanged.headers['ETag'] && unchanged.content === undefined)
    }
    assert.ok(answerOf(operations.getTenantConfiguration, 200).headers['Content-Language'])
  })
})

describe('requests', () => {
  test('have the parameters of the path and the declared query parameters', () => {
    for (const [name, operation] of table) {
      const parameters = (find(operation).parameters ?? []).map(follow<z.infer<typeof Parameter>>)
      const inPath = parameters.filter((one) => one.in === 'path')
      assert.deepEqual(
        inPath.map((one) => one.name),
        [...operation.path.matchAll(/:(\w+)/g)].map(([, parameterName]) => parameterName),
        name,
      )
      assert.ok(inPath.every(({ required }) => required))
      const inQuery = parameters.filter((one) => one.in === 'query').map((one) => one.name)
      assert.deepEqual(inQuery, Object.keys(operation.query?.shape ?? {}), name)
    }
  })

  test('name the address of a user only where a tenant key can be sent (LIMIT-4)', () => {
    for (const [name, operation] of table) {
      const { parameters = [], security = [] } = find(operation)
      const names = parameters.map((one) => follow<z.infer<typeof Parameter>>(one).name)
      const isCounted = operation.limit !== undefined && security.some((scheme) => 'TenantKey' in scheme)
      assert.equal(names.includes('X-Client-IP'), isCounted, name)
    }
  })

  test('have no empty query parameter where the query is strict', () => {
    for (const [name, operation] of table.filter(([, one]) => hasStrictQuery(one))) {
      const parameters = (find(operation).parameters ?? []).map(follow<z.infer<typeof Parameter>>)
      for (const { schema } of parameters.filter((one) => one.in === 'query' && one.style === undefined)) {
        const {
          type,
          enum: values = [],
          minLength = 0,
        } = schema as { type?: string; enum?: string[]; minLength?: number }
        assert.ok(type !== 'string' || minLength > 0 || values.length > 0, name)
      }
    }
  })

  test('declare their body and its maximum size', () => {
    for (const [name, operation] of table) {
      const wants = operation.body ?? operation.bodyLines
      assert.equal(find(operation).requestBody !== undefined, wants !== undefined, name)
    }
    assert.match(find(operations.resendOtp).requestBody!.description, /64 KiB/)
    assert.match(find(operations.replaceConfiguration).requestBody!.description, /1024 KiB/)
  })

  test('name the alternatives of a body by their discriminator', () => {
    const choicesOf = (operation: Operation) => {
      const { schema } = find(operation).requestBody!.content['application/json']!
      return (schema as { oneOf?: { title?: string }[] }).oneOf?.map(({ title }) => title)
    }
    assert.deepEqual(choicesOf(operations.resetPassword), ['challenge', 'confirm'])
    assert.deepEqual(choicesOf(operations.signIn), ['password', 'otp', 'guest', 'google, apple, facebook'])
    assert.deepEqual(choicesOf(operations.addIdentity), ['password', 'otp', 'google, apple, facebook'])
  })

  test('use two names for a schema whose input is stricter than its output', () => {
    const { ComponentOption, ComponentOptionInput } = document.components.schemas
    assert.equal(ComponentOption!.additionalProperties, undefined)
    assert.equal(ComponentOptionInput!.additionalProperties, false)
  })
})
