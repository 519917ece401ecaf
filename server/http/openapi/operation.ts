import { z } from 'zod'
import {
  hasPrecondition,
  hasStrictQuery,
  maxBodyBytesOf,
  maxLineBytes,
  type Operation,
} from '../../../contract/operation.ts'
import { isParameterGroup } from '../../../contract/parameter-group.ts'
import type { LimitSettings } from '../../limits/limit-settings.ts'
import { describeRefusals, headersOf, sampleMeta } from './answers.ts'
import { parameterExamples } from './examples/client-examples.ts'
import type { Examples } from './examples/example.ts'
import { examples } from './examples/examples.ts'
import type { JsonObject, SchemaCollection } from './schemas.ts'
import { describeScope, scopeText, securityOf } from './scope.ts'
import { tagOf } from './tags.ts'

/** Operations with ETag and If-None-Match. */
const conditional: ReadonlySet<string> = new Set([
  'getTenantConfiguration',
  'getJwks',
  'getOpenIdConfiguration',
  'getProfileSchemaDocument',
])

/** The schema of a success's data; null without a body. Call this for all operations before `describeOperation`. */
export const outputOf = (operation: Operation, schemas: SchemaCollection): JsonObject | null =>
  operation.status === 204 ? null : schemas.convert(operation.output, 'output')

/** One operation of the document. */
export function describeOperation(
  name: string,
  operation: Operation,
  output: JsonObject | null,
  schemas: SchemaCollection,
  limits: LimitSettings,
): JsonObject {
  const quota = operation.limit === undefined ? 'off' : limits[operation.limit]
  const limit =
    operation.limit !== undefined && quota !== 'off' ? { name: operation.limit, ...quota, per: 'client address' } : null
  const texts = [operation.description, scopeText(operation), limit && limitText(limit)]
  const text = texts.filter((part) => part != null).join('\n\n')
  const shown: Examples = examples[name as keyof typeof examples] ?? {}
  const parameters = describeParameters(name, operation, schemas)
  return {
    operationId: name,
    tags: [tagOf(operation.path)],
    summary: operation.summary,
    description: text,
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body !== undefined
      ? { requestBody: describeBody(operation, operation.bodyShape ?? operation.body, shown, schemas) }
      : {}),
    ...(operation.bodyLines !== undefined
      ? { requestBody: describeLines(operation, operation.bodyLines, shown, schemas) }
      : {}),
    responses: { ...describeSuccess(name, operation, output, shown), ...describeRefusals(operation) },
    ...(limit !== null ? { 'x-rate-limit': limit } : {}),
    ...describeScope(operation),
  }
}

function limitText({ quota, windowSeconds }: { quota: number; windowSeconds: number }): string {
  const window =
    windowSeconds === 3600
      ? 'hour'
      : windowSeconds % 60 === 0
        ? `${windowSeconds / 60} minutes`
        : `${windowSeconds} seconds`
  return `**Limit**: ${quota} requests per client address in any ${window}; past it 429 \`TOO_MANY_REQUESTS\`.`
}

function describeParameters(name: string, operation: Operation, schemas: SchemaCollection): JsonObject[] {
  const { path, auth, params, query, limit, stream, idempotent } = operation
  const listed: JsonObject[] = []
  if (params !== undefined) {
    const { properties } = fieldsOf(params, schemas)
    for (const [, parameter = ''] of path.matchAll(/:(\w+)/g)) {
      listed.push({
        name: parameter,
        in: 'path',
        required: true,
        ...describeValue(name, parameter, properties[parameter]),
      })
    }
  }
  if (query !== undefined) {
    const { properties, required } = fieldsOf(query, schemas)
    for (const [parameter, schema] of Object.entries(properties)) {
      const isGroup = isParameterGroup(query.shape[parameter]!)
      listed.push({
        name: parameter,
        in: 'query',
        required: required.includes(parameter),
        ...(isGroup && { style: 'form', explode: true }),
        ...describeValue(name, parameter, isGroup ? groupSchema(parameter, schema) : notEmpty(operation, schema)),
      })
    }
  }
  if (stream) listed.push({ ...lastEventId, example: exampleOf(name, 'Last-Event-ID') })
  if (conditional.has(name)) listed.push({ $ref: '#/components/parameters/If-None-Match' })
  if (hasPrecondition(operation)) listed.push({ $ref: '#/components/parameters/If-Match' })
  if (idempotent) listed.push({ $ref: '#/components/parameters/Idempotency-Key' })
  if (limit !== undefined && auth !== 'console') listed.push({ $ref: '#/components/parameters/X-Client-IP' })
  return listed
}

/** Exploded, the members of an object are parameters with exactly their names. */
const groupSchema = (name: string, { description, additionalProperties }: JsonObject): JsonObject => ({
  description,
  type: 'object',
  propertyNames: { pattern: `^${name}\\.` },
  additionalProperties,
})

/** Where the query is strict, an empty parameter is refused whatever its schema allows. */
const notEmpty = (operation: Operation, schema: JsonObject): JsonObject =>
  hasStrictQuery(operation) && schema['type'] === 'string' && schema['enum'] === undefined
    ? { minLength: 1, ...schema }
    : schema

const lastEventId: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event read: the stream goes on after it.',
  schema: { type: 'string' },
}

/** Parameters of one name have one example, except where an operation has its own. */
const exampleOf = (operation: string, parameter: string): unknown =>
  parameterExamples[`${operation} ${parameter}`] ?? parameterExamples[parameter]

/** Copies the schema, so that it is inlined instead of referenced by name. */
function fieldsOf(object: z.ZodObject, schemas: SchemaCollection) {
  const { properties = {}, required = [] } = schemas.convert(z.object(object.shape), 'input')
  return { properties: properties as Record<string, JsonObject>, required: required as string[] }
}

/** A parameter has its description and its example next to its schema. */
function describeValue(
  operation: string,
  name: string,
  { description, ...schema }: JsonObject = { type: 'string' },
): JsonObject {
  const example = exampleOf(operation, name)
  return { ...(description !== undefined && { description }), schema, ...(example !== undefined && { example }) }
}

/** The examples of a media type: the only one, or all by their names. */
function showExamples(named: Examples['bodies'] = {}, wrap = (value: unknown): unknown => value): JsonObject {
  const [first, ...more] = Object.entries(named)
  if (first === undefined) return {}
  if (more.length === 0) return { example: wrap(first[1]) }
  return { examples: Object.fromEntries([first, ...more].map(([name, value]) => [name, { value: wrap(value) }])) }
}

function describeBody(
  operation: Operation,
  body: z.ZodType,
  { bodies }: Examples,
  schemas: SchemaCollection,
): JsonObject {
  return {
    description: `At most ${maxBodyBytesOf(operation) / 1024} KiB.`,
    // A POST without a body is read as {}.
    required: !(operation.method === 'POST' && body.safeParse({}).success),
    content: { 'application/json': { schema: schemas.convert(body, 'input'), ...showExamples(bodies) } },
  }
}

/** OpenAPI 3.1 cannot describe NDJSON: the schema is that of one line. */
function describeLines(
  operation: Operation,
  line: z.ZodType,
  { bodies }: Examples,
  schemas: SchemaCollection,
): JsonObject {
  const [all, each] = [maxBodyBytesOf(operation), maxLineBytes].map((bytes) => bytes / 1024 ** 2)
  return {
    description: `Lines, each a JSON object of this schema and at most ${each} MiB; at most ${all} MiB in all. Read as they come: send and read at once.`,
    required: false,
    content: { 'application/x-ndjson': { schema: schemas.convert(line, 'input'), ...showExamples(bodies) } },
  }
}

function describeSuccess(
  name: string,
  operation: Operation,
  output: JsonObject | null,
  { answers }: Examples,
): JsonObject {
  const headers = headersOf(operation, { conditional: conditional.has(name) })
  const described = { description: output === null ? 'Done; no body.' : 'Success.', headers }
  if (output === null) return { [operation.status]: described }
  if (operation.stream) return { [operation.status]: { ...described, ...describeEvents(output, answers) } }
  if (operation.outputLines) return { [operation.status]: { ...described, ...describeOutputLines(output, answers) } }
  const content =
    operation.envelope === false
      ? { schema: output, ...showExamples(answers) }
      : { schema: enveloped(output), ...showExamples(answers, (data) => ({ meta: sampleMeta, data })) }
  return {
    [operation.status]: { ...described, content: { [operation.outputText ?? 'application/json']: content } },
    ...(conditional.has(name)
      ? { 304: { description: 'The body is still the one that `If-None-Match` names.', headers } }
      : {}),
  }
}

/** OpenAPI 3.1 cannot describe events: the schema is that of their `data`. */
const describeEvents = (data: JsonObject, answers: Examples['answers']): JsonObject => ({
  description: 'Server-Sent Events; the schema is that of the JSON in `data`.',
  content: { 'text/event-stream': { schema: data, ...showExamples(answers) } },
})

const describeOutputLines = (line: JsonObject, answers: Examples['answers']): JsonObject => ({
  description: 'Lines, each a JSON object of the first schema; a refusal on the way is the last line, a `Failure`.',
  content: {
    'application/x-ndjson': {
      schema: { anyOf: [line, { $ref: '#/components/schemas/Failure' }] },
      ...showExamples(answers),
    },
  },
})

const enveloped = (data: JsonObject): JsonObject => ({
  type: 'object',
  properties: { meta: { $ref: '#/components/schemas/Meta' }, data },
  required: ['meta', 'data'],
})
