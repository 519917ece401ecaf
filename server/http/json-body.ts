import { invalid, ServiceError } from '../core/service-error.ts'

const maxDepth = 32
/** Throws at what is no UTF-8. A BOM is kept, and is no JSON. */
export const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A request body to a JSON value, by the rules of design 2: `application/json` only, UTF-8, no content encoding, no BOM,
 * at most 32 levels. Of duplicate keys the last wins.
 * @returns undefined for an empty body.
 */
export function parseJsonBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  encoding: string | undefined,
): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined
  requireMediaType(['application/json'], contentType, encoding)
  try {
    return parseJson(utf8.decode(bytes))
  } catch {
    throw invalid({ body: 'Invalid JSON' })
  }
}

/** A text to a JSON value by the rules above; throws where it is none. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`More than ${maxDepth} levels`)
  return mayHoldUnholdableNumber.test(text) ? JSON.parse(text, refuseUnholdable as never) : JSON.parse(text)
}

/** @throws {ServiceError} UNSUPPORTED_MEDIA_TYPE: none of these types, another charset, any content encoding. */
export function requireMediaType(
  types: readonly string[],
  contentType: string | undefined,
  encoding: string | undefined,
): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const isOfType = types.includes(type.trim()) && parameters.every(isHarmlessParameter)
  const isPlain = encoding === undefined || encoding.trim().toLowerCase() === 'identity'
  if (!isOfType || !isPlain) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
}

const isHarmlessParameter = (parameter: string): boolean =>
  // Trimmed first: two stretches of white space in one expression would be a quadratic one.
  /^(charset\s*=\s*(utf-8|"utf-8"))?$/.test(parameter.trim())

/** Brackets outside of strings, counted before anything is built of them (threat A04). */
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

/** Many digits or an exponent: only then is each number looked at twice. */
const mayHoldUnholdableNumber = /\d{16}|\d[eE]/

/** A number that a double would change beyond recognition (1e400, 1e-400) becomes NaN, which every field refuses. */
function refuseUnholdable(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number') return value
  const overflows = !Number.isFinite(value)
  const underflows = value === 0 && /[1-9]/.test(mantissa(context.source))
  const rounds = Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return overflows || underflows || rounds ? Number.NaN : value
}

const mantissa = (source = ''): string => source.split(/[eE]/)[0] ?? ''
