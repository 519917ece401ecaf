/** The rules of Redocly's and Spectral's default sets that a document of this shape can violate. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import { allOperations } from '../../../contract/operations.ts'
import { validationMessage } from '../../../contract/validation-messages.ts'
import { profile, profileSchema } from './examples/demo-tenant.ts'
import { examples } from './examples/examples.ts'
import { buildOpenApi } from './openapi.ts'

interface MediaType {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
}
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly object[]
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, object>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: object
  readonly example?: unknown
}

const all: Readonly<Record<string, Operation>> = allOperations
const info = { version: '0.1.0', serverUrl: 'https://accounts.example.com' }
const document = JSON.parse(JSON.stringify(buildOpenApi(all, info)))
const paths: Record<string, Record<string, Described>> = document.paths
const described = Object.values(paths).flatMap((path) => Object.values(path))

function follow<T>(value: object): T {
  if (!('$ref' in value)) return value as T
  const steps = String(value.$ref).slice(2).split('/')
  return steps.reduce((at, step) => at[step], document)
}

// Compiles each component of the document once, not once for each schema that refers to it.
const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } })
ajv.addSchema(document, 'document')

/** Refers from a schema of its own into the document. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))

/** By the text of their schema: the operations share most errors. */
const compiled = new Map<string, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(absolute(schema))
  compiled.set(text, validate)
  return validate
}

function assertValid(schema: object, value: unknown, where: string): void {
  const validate = validatorOf(schema)
  assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

/** Every media type of an operation, with its place. */
function* mediaTypes({ operationId, requestBody, responses }: Described): Generator<[string, MediaType]> {
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) yield [`${operationId} ${type}`, media]
  for (const [status, response] of Object.entries(responses)) {
    const { content = {} } = follow<{ content?: Record<string, MediaType> }>(response)
    for (const media of Object.values(content)) yield [`${operationId} ${status}`, media]
  }
}

describe('the document', () => {
  test('has a contact, a license and an absolute server URL without a trailing slash', () => {
    assert.deepEqual(document.info.contact, { name: 'The operator of this service' })
    assert.deepEqual(document.info.license, { name: 'Apache-2.0', identifier: 'Apache-2.0' })
    assert.deepEqual(document.servers, [{ url: info.serverUrl }])
  })

  test('names declared security schemes, without scopes that only OAuth declares', () => {
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { operationId, security } of described) {
      for (const [name, scopes] of security.flatMap((each) => Object.entries(each))) {
        assert.ok(schemes.includes(name), operationId)
        assert.deepEqual(scopes, [], operationId)
      }
    }
  })

  test('has an id, a summary, a description, a declared tag, a success and a 4xx on every operation', () => {
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name))
    assert.equal(new Set(described.map(({ operationId }) => operationId)).size, Object.keys(all).length)
    for (const { operationId, summary, description, tags: own, responses } of described) {
      assert.ok(summary.length > 0 && !summary.endsWith('.'), operationId)
      assert.match(description, /^(?!\*\*Limit)[A-Z`].{20}/, operationId)
      assert.ok(own.length === 1 && tags.has(own[0]), operationId)
      const statuses = Object.keys(responses)
      for (const kind of ['2', '4'])
        assert.ok(
          statuses.some((status) => status.startsWith(kind)),
          operationId,
        )
    }
  })

  test('has no HTML in its Markdown: pages of the document leave it out', () => {
    const texts = JSON.stringify(document).matchAll(/"(?:description|summary)":("(?:[^"\\]|\\.)*")/g)
    for (const [, text] of texts) assert.doesNotMatch(JSON.parse(text!).replaceAll(/`[^`]*`/g, ''), /(?<!\\)<[a-z/!]/i)
  })

  test('names no two paths that differ by their parameters only', () => {
    const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    assert.equal(new Set(shapes).size, shapes.length)
    for (const path of Object.keys(paths)) assert.doesNotMatch(path, /\/$|\?/)
  })

  test('has no Location header: created resources answer their id in the body', () => {
    assert.doesNotMatch(JSON.stringify(document), /"Location"/)
  })

  test('refers to every error response but those with an example of their operation', () => {
    for (const { operationId, responses } of described) {
      for (const [status, response] of Object.entries(responses)) {
        const isInline = Number(status) < 400 || JSON.stringify(response).includes('"value"')
        assert.equal('$ref' in response, !isInline, `${operationId} ${status}`)
      }
    }
  })

  test('has an Idempotency-Key on the operations that accept one', () => {
    const accepting = described.filter(({ parameters = [] }) =>
      parameters.some((parameter) => follow<Parameter>(parameter).name === 'Idempotency-Key'),
    )
    const names = accepting.map(({ operationId }) => operationId).sort()
    assert.deepEqual(names, [
      'createOperator',
      'createTenant',
      'createTenantKey',
      'createUser',
      'issueOtp',
      'rotateOperatorKey',
      'rotateTenantKey',
    ])
  })

  test('describes the limit of a page as an integer', () => {
    for (const name of ['listTenants', 'listTenantKeys', 'listUsers', 'listMessages']) {
      const { parameters } = described.find(({ operationId }) => operationId === name)!
      const limit = parameters!.map(follow<Parameter>).find((parameter) => parameter.name === 'limit')!
      assert.deepEqual(limit.schema, { type: 'integer', minimum: 1, maximum: 200 })
    }
  })
})

describe('examples', () => {
  test('are on every body, every answer and every parameter, and valid against their schemas', () => {
    for (const operation of described) {
      for (const [where, { schema, example, examples: named = {} }] of mediaTypes(operation)) {
        const values = Object.values(named).map((one) => follow<{ value: unknown }>(one).value)
        if (example !== undefined) values.push(example)
        assert.ok(values.length > 0, `${where} has no example`)
        for (const value of values) assertValid(schema, value, where)
      }
      for (const { name, schema, example } of (operation.parameters ?? []).map(follow<Parameter>)) {
        assert.notEqual(example, undefined, `${operation.operationId} ${name} has no example in parameterExamples`)
        assertValid(schema, example, `${operation.operationId} ${name}`)
      }
    }
  })

  test('pass the validation of the service', () => {
    for (const [name, { body, bodyShape = body, bodyLines, output }] of Object.entries(all)) {
      const { bodies = {}, answers = {} } = examples[name as keyof typeof examples]
      const check = (schema: z.ZodType | undefined, value: unknown, where: string) => {
        const { error, data } = schema!.safeParse(value, { error: validationMessage })
        assert.equal(error, undefined, `${name} ${where}: ${error?.message}`)
        return data
      }
      for (const [key, value] of Object.entries(bodies)) {
        for (const schema of [bodyShape ?? bodyLines, body ?? bodyLines]) check(schema, value, key)
      }
      for (const [key, value] of Object.entries(answers)) assert.deepEqual(check(output, value, key), value)
    }
  })

  test('tell of one profile schema: a profile has its fields', () => {
    const fields = profileSchema.components.map((component) => component.name)
    assert.deepEqual(Object.keys(profile), ['id', ...fields, 'createdAt', 'updatedAt'])
  })

  test('contain nothing that looks like a real secret', () => {
    const text = JSON.stringify(examples)
    assert.doesNotMatch(text, /tk_(pub|sec)_[0-9A-Z]{26}_(?!EXAMPLE)/)
    assert.doesNotMatch(text, /eyJ[\w-]+\.(?!EXAMPLE)/)
  })
})
