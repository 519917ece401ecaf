/** The form of an OpenAPI 3.1 document, to validate ours. */
import { z } from 'zod'
import { Failure } from '../../../contract/failure.ts'
import { scopes } from '../../../contract/scopes.ts'
import { metricsType } from '../../../contract/system.ts'

/** A JSON Schema, with the parts that tests read. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') })

const types = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** The keywords of JSON Schema 2020-12 that the contract uses. Review a new one before adding it. */
const schema: z.ZodType<JsonSchema> = z.lazy(() =>
  z
    .strictObject({
      $ref: z.string().startsWith('#/components/schemas/'),
      type: z.union([types, z.array(types)]),
      title: z.string(),
      description: z.string(),
      properties: z.record(z.string(), schema),
      required: z.array(z.string()),
      additionalProperties: z.union([z.boolean(), schema]),
      propertyNames: schema,
      items: schema,
      anyOf: z.array(schema),
      oneOf: z.array(schema),
      allOf: z.array(schema),
      enum: z.array(z.unknown()).nonempty(),
      const: z.unknown(),
      format: z.enum(['date-time', 'email']),
      pattern: z.string().refine((source) => new RegExp(source, 'u')),
      minLength: z.int(),
      maxLength: z.int(),
      minimum: z.number(),
      maximum: z.number(),
      minItems: z.int(),
      maxItems: z.int(),
      default: z.unknown(),
      examples: z.array(z.unknown()),
    })
    .partial()
    .refine(({ required = [], properties = {} }) => required.every((name) => name in properties)),
)
const header = z.strictObject({ description: z.string(), schema, example: z.unknown() })
const example = z.strictObject({ summary: z.string(), value: Failure })
/** Examples of bodies and successes; `openapi-rules.test.ts` validates them against the schema. */
const shown = {
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.strictObject({ value: z.unknown() })).optional(),
}
const content = z
  .strictObject({
    'application/json': z
      .strictObject({
        ...shown,
        schema,
        examples: z
          .record(z.string(), z.union([reference, example, z.strictObject({ value: z.unknown() })]))
          .optional(),
      })
      .optional(),
    'text/event-stream': z.strictObject({ schema, ...shown }).optional(),
    'application/x-ndjson': z.strictObject({ schema, ...shown }).optional(),
    [metricsType]: z.strictObject({ schema, ...shown }).optional(),
  })
  .refine((types) => Object.keys(types).length === 1)
/** One answer of an operation. */
export const Response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), reference),
  content: content.optional(),
})
/** A path, query or header parameter. */
export const Parameter = z.strictObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  /** Of a group: each member of the object is a parameter. */
  style: z.literal('form').optional(),
  explode: z.literal(true).optional(),
  schema,
  example: z.unknown().optional(),
})
const operationObject = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.tuple([]))),
  parameters: z.array(z.union([reference, Parameter])).optional(),
  requestBody: z.strictObject({ description: z.string(), required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, Response])),
  'x-rate-limit': z
    .strictObject({ name: z.string(), quota: z.int(), windowSeconds: z.int(), per: z.literal('client address') })
    .optional(),
  'x-scope': z.enum([...scopes, 'any']).optional(),
  'x-reach': z.enum(['tenant', 'deployment', 'own', 'tenantQuery']).optional(),
  'x-query-scopes': z.record(z.string(), z.enum(scopes)).optional(),
})
const named = <T extends z.ZodType>(value: T) => z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), value)
/** The document, as strict as the specification on the parts that this service writes. */
export const OpenApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    contact: z.strictObject({ name: z.string() }),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  'x-tagGroups': z.array(z.strictObject({ name: z.string(), tags: z.array(z.string()).nonempty() })),
  paths: z.record(
    z.string().regex(/^(\/[\w.-]+|\/\{\w+\})+$/),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operationObject),
  ),
  components: z.strictObject({
    schemas: named(schema),
    responses: named(Response),
    parameters: named(Parameter),
    examples: named(example),
    headers: named(header),
    securitySchemes: named(z.object({ type: z.enum(['apiKey', 'http']), description: z.string() }).loose()),
  }),
})
