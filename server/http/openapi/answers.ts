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

/** The headers of an operation's answer, by name. */
export function headersOf(
  operation: Operation,
  { conditional = false, codes = [] as readonly ErrorCode[] } = {},
): JsonObject {
  const names = ['X-Request-Id']
  if (operation.limit !== undefined) names.push('RateLimit', 'RateLimit-Policy')
  if (conditional) names.push('ETag')
  if (operation.query?.shape['locale'] !== undefined && codes.length === 0) names.push('Content-Language')
  if (operation.setsCookie && codes.length === 0) names.push('Set-Cookie')
  const revision = operation.revisioned && codes.length === 0 ? { ETag: header('Revision') } : {}
  if (codes.some((code) => retryable.has(code))) names.push('Retry-After')
  return { ...Object.fromEntries(names.map((name) => [name, header(name)])), ...revision }
}

/** The errors of an operation: one response per HTTP status, with its codes as the values of `error.code`. */
export function describeRefusals(operation: Operation): JsonObject {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...errorsOf(operation), ...transportRefusals]) {
    const { status } = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), describeRefusal(operation, status, codes)]),
  )
}

function describeRefusal(operation: Operation, status: number, codes: readonly ErrorCode[]): JsonObject {
  const [only, another] = codes
  if (another === undefined && isOfTransport(only!)) return { $ref: `#/components/responses/${only}` }
  return refusal(status, codes, headersOf(operation, { codes }), { VALIDATION_ERROR: sampleValidation(operation) })
}

const isOfTransport = (code: ErrorCode): boolean => (transportRefusals as readonly ErrorCode[]).includes(code)

/** The operation's problems with an empty body; the general example when an empty body is valid. */
function sampleValidation({ body, bodyShape = body }: Operation): JsonObject | undefined {
  const result = bodyShape?.safeParse({}, { error: validationMessage })
  if (result === undefined || result.success) return undefined
  return { summary: 'VALIDATION_ERROR', value: sampleOf('VALIDATION_ERROR', fieldMessages(result.error.issues)) }
}

function refusal(
  status: number,
  codes: readonly ErrorCode[],
  headers: JsonObject,
  own: { [code in ErrorCode]?: JsonObject | undefined } = {},
): JsonObject {
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
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    headers,
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, narrowed] },
        examples: Object.fromEntries(
          codes.map((code) => [code, own[code] ?? { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  }
}

/** `components.responses`: the errors of the transport. */
export const transportResponses = (): JsonObject =>
  Object.fromEntries(
    transportRefusals.map((code) => [
      code,
      refusal(errors[code].status, [code], { 'X-Request-Id': header('X-Request-Id') }),
    ]),
  )

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
