import { Meta, success } from '../../../contract/envelope.ts'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { Failure } from '../../../contract/failure.ts'
import { errorsOf, type Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import type { WireAnswer } from '../../support/http/wire.ts'
import type { FuzzRequest } from './fuzz-request.ts'

/** Refusals of the HTTP parser, possible for every request (ENVELOPE-11). */
const transport: readonly ErrorCode[] = ['BAD_REQUEST', 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT']
/** The only 5xx codes that are allowed: those of a tenant that is not configured. */
const namedFailures: readonly string[] = ['TENANT_NOT_CONFIGURED', 'UNEXPECTED_STATE'] satisfies ErrorCode[]
/** A stack, a path, a library's error: internals that no message may contain (threat A27). */
const insides = /\bat \S+ \(|:\d+:\d+\)|node:internal|node_modules|\/work\/|SQLITE_|FST_|HPE_|ZodError|Error:/

/** Describes what is wrong with an answer; null when the contract allows it for this request. */
export function judge(request: FuzzRequest, answer: WireAnswer): string | null {
  const { headers, status } = answer
  if (headers['server'] !== undefined || headers['x-powered-by'] !== undefined) return 'names its server software'
  if (headers['x-request-id'] === undefined) return 'has no request id'
  const operation: Operation | null = request.operation && operations[request.operation]
  const isHead = request.method === 'HEAD' && !request.isBroken
  if (isHead || status === 204 || status === 304) return judgeWithoutBody(answer, operation, request.sound)
  if (status < 400 && operation?.outputLines) return judgeLines(answer, operation)
  if (status < 400 && operation?.outputText)
    return headers['content-type'] === operation.outputText ? null : `is of type ${headers['content-type']}`
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return operation === null && status === 200 ? null : `is of type ${headers['content-type']}`
  }
  let body: unknown
  try {
    body = answer.json()
  } catch {
    return 'is not JSON'
  }
  return status < 400 ? judgeSuccess(answer, body, operation) : judgeRefusal(request, answer, body, operation)
}

function judgeWithoutBody({ status, text }: WireAnswer, operation: Operation | null, sound: boolean): string | null {
  if (text !== '') return 'has a body'
  if (operation === null) return status < 500 || !sound ? null : `is ${status}`
  return status === operation.status || status === 304 ? null : `is ${status} instead of ${operation.status}`
}

const enveloped = new Map<Operation, ReturnType<typeof success>>()

function judgeSuccess({ status, headers }: WireAnswer, body: unknown, operation: Operation | null): string | null {
  if (operation === null) return null
  if (status !== operation.status) return `is ${status} instead of ${operation.status}`
  if (operation.envelope === false) {
    const { error } = operation.output.safeParse(body)
    return error ? `breaks the output schema: ${error.message}` : null
  }
  const schema = enveloped.get(operation) ?? success(operation.output)
  enveloped.set(operation, schema)
  const { error } = schema.safeParse(body)
  if (error) return `breaks the output schema: ${error.message}`
  return sameRequestId(body, headers['x-request-id'])
}

/** Lines of the declared shape. After the first line, a refusal can only be the last one. */
function judgeLines({ status, headers, text }: WireAnswer, { output, status: declared }: Operation): string | null {
  if (status !== declared) return `is ${status} instead of ${declared}`
  if (headers['content-type'] !== 'application/x-ndjson') return `is of type ${headers['content-type']}`
  const lines = text.split('\n')
  if (lines.pop() !== '') return 'ends in the middle of a line'
  const wrong = lines.find((line) => !output.safeParse(JSON.parse(line)).success)
  return wrong === undefined ? null : `breaks the output schema: ${wrong.slice(0, 300)}`
}

function judgeRefusal(
  { sound }: FuzzRequest,
  { status, headers, text }: WireAnswer,
  body: unknown,
  operation: Operation | null,
): string | null {
  const { data: failure, error: problem } = Failure.safeParse(body)
  if (problem) return `breaks the envelope: ${problem.message}`
  const { code, message, status: said, validation } = failure.error
  if (said !== status || errors[code].status !== status || errors[code].message !== message)
    return 'has a status or message that does not match its code'
  if ((validation !== undefined) !== (code === 'VALIDATION_ERROR'))
    return 'has validation without VALIDATION_ERROR, or the reverse'
  if (insides.test(Object.values(validation ?? {}).join('\n'))) return `reveals internals: ${text}`
  if (status >= 500 && (sound || !namedFailures.includes(code))) return `is ${code}`
  if (headers['cache-control'] !== 'no-store') return 'can be cached'
  if (operation !== null && ![...errorsOf(operation), ...transport].includes(code))
    return `is ${code}, which ${operation.path} does not declare`
  return sameRequestId(body, headers['x-request-id'])
}

function sameRequestId(body: unknown, sent: string | undefined): string | null {
  const { data } = Meta.safeParse((body as { meta: unknown }).meta)
  return data?.requestId === sent ? null : 'has a different request id in its header'
}
