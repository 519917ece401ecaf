import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { errorsOf, type Operation } from '../../../contract/operation.ts'
import { fieldMessages, validationMessage } from '../../../contract/validation-messages.ts'
import { setConsoleCookie } from '../console/console-cookie.ts'
import type { JsonObject } from './schemas.ts'

/** Errors of the transport, which any request can get. */
export const transportRefusals = ['BAD_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const satisfies ErrorCode[]

/** Codes with a `Retry-After` header. */
const retryable = new Set<ErrorCode>(['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE', 'OTP_RESEND_INTERVAL_NOT_EXPIRED'])

export const sampleMeta = { requestId: '01JGFJJZ00E9V4R8ZK3QWX5T7N', timestamp: '2026-01-31T12:00:00.000Z' }

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** The header of every answer. */
const requestId: JsonObject = { 'X-Request-Id': header('X-Request-Id') }

/** The headers of an operation's answer, by name. */
export function headersOf(
  operation: Operation,
  { conditional = false, codes = [] as readonly ErrorCode[] } = {},
): JsonObject {
  const names: string[] = []
  if (operation.limit !== undefined) names.push('RateLimit', 'RateLimit-Policy')
  if (conditional) names.push('ETag')
  if (operation.query?.shape['locale'] !== undefined && codes.length === 0) names.push('Content-Language')
  if (operation.setsCookie && codes.length === 0) names.push('Set-Cookie')
  const revision = operation.revisioned && codes.length === 0 ? { ETag: header('Revision') } : {}
  if (codes.some((code) => retryable.has(code))) names.push('Retry-After')
  return { ...requestId, ...Object.fromEntries(names.map((name) => [name, header(name)])), ...revision }
}

/** The codes of an operation with one HTTP status: one response of the document. */
interface Refusal {
  readonly status: number
  readonly codes: readonly ErrorCode[]
  readonly headers: JsonObject
  /** The operation's own example of VALIDATION_ERROR. */
  readonly validation: JsonObject | undefined
}

function refusalsOf(operation: Operation): Refusal[] {
  const byStatus = Map.groupBy([...errorsOf(operation), ...transportRefusals], (code) => errors[code].status)
  return [...byStatus].map(([status, codes]) => ({
    status,
    codes,
    headers: codes.every(isOfTransport) ? requestId : headersOf(operation, { codes }),
    validation: codes.includes('VALIDATION_ERROR') ? sampleValidation(operation) : undefined,
  }))
}

const isOfTransport = (code: ErrorCode): boolean => (transportRefusals as readonly ErrorCode[]).includes(code)

/** The operation's problems with an empty body; the general example when an empty body is valid. */
function sampleValidation({ body, bodyShape = body }: Operation): JsonObject | undefined {
  const result = bodyShape?.safeParse({}, { error: validationMessage })
  if (result === undefined || result.success) return undefined
  return { summary: 'VALIDATION_ERROR', value: sampleOf('VALIDATION_ERROR', fieldMessages(result.error.issues)) }
}

/** The errors of an operation: one response per HTTP status, with its codes as the values of `error.code`. */
export const describeRefusals = (operation: Operation): JsonObject =>
  Object.fromEntries(
    refusalsOf(operation).map((refusal) => [
      String(refusal.status),
      isShared(refusal) ? { $ref: `#/components/responses/${nameOf(refusal)}` } : describeRefusal(refusal),
    ]),
  )

/** `components.responses`: the errors of all operations, but for those with an example of one operation. */
export const sharedRefusals = (operations: readonly Operation[]): JsonObject =>
  Object.fromEntries(
    operations
      .flatMap(refusalsOf)
      .filter(isShared)
      .map((refusal) => [nameOf(refusal), describeRefusal(refusal)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const isShared = ({ validation }: Refusal): boolean => validation === undefined

/** The codes, and `RateLimit` for a response with those headers. */
const nameOf = ({ codes, headers }: Refusal): string =>
  [...codes, ...('RateLimit' in headers ? ['RateLimit'] : [])].join('.')

function describeRefusal({ status, codes, headers, validation }: Refusal): JsonObject {
  const error = {
    type: 'object',
    properties: {
      message: { type: 'string' },
      code: { type: 'string', enum: codes },
      status: { type: 'integer', const: status },
      ...(codes.includes('VALIDATION_ERROR') && {
        validation: { type: 'object', additionalProperties: { type: 'string' } },
      }),
    },
  }
  const narrowed = { type: 'object', properties: { error } }
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${asMarkdown(errors[code].message)}`).join('\n\n'),
    headers,
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, narrowed] },
        examples: { ...examples, ...(validation && { VALIDATION_ERROR: validation }) },
      },
    },
  }
}

/** Markdown takes `<token>` for HTML and shows nothing. */
const asMarkdown = (text: string): string => text.replaceAll('<', '\\<')

/** `components.examples`: one body per code. */
export function describeExamples(operations: readonly Operation[]): JsonObject {
  const used = new Set<ErrorCode>([...operations.flatMap(errorsOf), ...transportRefusals])
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => used.has(code))
  return Object.fromEntries(codes.map((code) => [code, { summary: code, value: sampleOf(code) }]))
}

function sampleOf(
  code: ErrorCode,
  validation: Record<string, string> = { limit: 'Validation rule not met' },
): JsonObject {
  const { status, message } = errors[code]
  return { meta: sampleMeta, error: { message, code, status, ...(code === 'VALIDATION_ERROR' ? { validation } : {}) } }
}

/** `components.headers`. */
export const headers: JsonObject = {
  'X-Request-Id': {
    description:
      'The identifier of the request, `meta.requestId` too; the one sent, where it is 1 to 64 of `A-Za-z0-9._-`.',
    schema: { type: 'string' },
    example: sampleMeta.requestId,
  },
  RateLimit: {
    description: 'What is left of the limit: `r` requests, and in `t` seconds one more.',
    schema: { type: 'string' },
    example: '"ip";r=27;t=3121',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in any `w` seconds.',
    schema: { type: 'string' },
    example: '"ip";q=30;w=3600',
  },
  'Retry-After': {
    description: 'Seconds after which it is worth trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: 60,
  },
  ETag: {
    description: 'Names this very body, for `If-None-Match`.',
    schema: { type: 'string' },
    example: '"3f9a7c52"',
  },
  'Content-Language': {
    description: 'The language of the texts, for a request with `locale`; absent when they are the defaults.',
    schema: { type: 'string' },
    example: 'fr',
  },
  'Set-Cookie': {
    description: 'Stores the session of the console in the browser, or clears it.',
    schema: { type: 'string' },
    example: setConsoleCookie('EXAMPLE'),
  },
  Revision: {
    description: 'The revision of what the answer shows, for `If-Match`; `"0"` when nothing is stored yet.',
    schema: { type: 'string' },
    example: '"3"',
  },
}
