import type { IncomingMessage } from 'node:http'
import { invalid, ServiceError } from '../core/service-error.ts'
import { readOnce } from './credentials.ts'

const maxDepth = 32
/** Throws on invalid UTF-8. A BOM is kept and makes the JSON invalid (RFC 8259 8.1). */
export const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a request body: `application/json` only, UTF-8, no content encoding, no BOM, at most 32 levels. The last of
 * duplicate keys wins (BODY-1, BODY-3, BODY-5, BODY-6).
 * @returns undefined for an empty body.
 */
export function parseJsonBody(bytes: Buffer | undefined, request: IncomingMessage): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined
  requireMediaType(['application/json'], request)
  try {
    return parseJson(utf8.decode(bytes))
  } catch {
    throw invalid({ body: 'Invalid JSON' })
  }
}

/** Parses JSON by the rules of a body; throws when it is invalid. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`More than ${maxDepth} levels`)
  return mayHaveInexactNumber.test(text) ? JSON.parse(text, refuseInexact as never) : JSON.parse(text)
}

/** @throws {ServiceError} UNSUPPORTED_MEDIA_TYPE: none of these types or two of them, another charset, any content encoding. */
export function requireMediaType(types: readonly string[], request: IncomingMessage): void {
  const contentType = readOnce(request, 'content-type')
  const encoding = request.headers['content-encoding']
  const [type = '', ...parameters] = typeof contentType === 'object' ? contentType.text.toLowerCase().split(';') : []
  const isOfType = types.includes(type.trim()) && parameters.every(isHarmlessParameter)
  const isPlain = encoding === undefined || encoding.trim().toLowerCase() === 'identity'
  if (!isOfType || !isPlain) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
}

const isHarmlessParameter = (parameter: string): boolean =>
  // Trimmed first: an expression with white space at both ends takes quadratic time.
  /^(charset\s*=\s*(utf-8|"utf-8"))?$/.test(parameter.trim())

/** Counts brackets outside of strings before anything is parsed (threat A04). */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === 0x5c) i++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (unit === 0x7d || unit === 0x5d) depth--
  }
  return false
}

/** Only numbers with many digits or an exponent are checked. */
const mayHaveInexactNumber = /\d{16}|\d[eE]/

/**
 * A number that is too large, for a double or for exact integers, becomes infinite, and one that is too small (1e-400) NaN. Every
 * field rejects them; an infinite one is still above `max` or below `min`.
 */
function refuseInexact(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number') return value
  if (value === 0) return /[1-9]/.test(mantissa(context.source)) ? Number.NaN : value
  const rounds = Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return rounds ? value * Number.POSITIVE_INFINITY : value
}

const mantissa = (source = ''): string => source.split(/[eE]/)[0] ?? ''
