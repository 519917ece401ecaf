import { TenantryError } from '../../../packages/client/src/index.ts'

interface LogLine {
  readonly level?: number
  readonly requestId?: string
}

/** Of pino. */
const errorLevel = 50

/**
 * Why a server refused a request, from its log: the line about the request. While the database is unavailable only one line
 * in five seconds is logged for all requests, so that the last error before stands for it.
 */
export function reasonOf(error: unknown, output: string): string {
  const errors = output.split('\n').filter((line) => (parse(line).level ?? 0) >= errorLevel)
  if (!(error instanceof TenantryError)) return errors.length > 0 ? `the log ends with ${errors.at(-1)}` : ''
  const { status, code, requestId } = error
  const own = errors.find((line) => parse(line).requestId === requestId)
  const line =
    own ?? (errors.length > 0 ? `no line about it; the last error is ${errors.at(-1)}` : 'no errors in the log')
  return `${status} ${code}, request ${requestId}: ${line}`
}

/** A line that is not JSON, such as one that a kill cut off, has no level. */
function parse(line: string): LogLine {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}
