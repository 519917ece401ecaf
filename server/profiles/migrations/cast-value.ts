import { readDate, readDatetime } from '../../../contract/fields/calendar.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import { LARGEST_NUMBER } from '../../../contract/fields/types/numbers.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'

/** What a `cast` step casts to. */
export type CastTarget = Extract<ProfileMigration, { cast: unknown }>['cast']['to']

/** A number as JSON writes it; texts such as `007`, `+5` and `1,000` stand for something else than a number. */
const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The value as another type, without loss; undefined when it cannot be cast. A value that has the type stays. */
export const castValue = (value: JsonValue, to: CastTarget): JsonValue | undefined => casts[to](value)

const casts: { readonly [To in CastTarget]: (value: JsonValue) => JsonValue | undefined } = {
  text(value) {
    return Array.isArray(value) && value.length === 1 ? textOf(value[0]!) : textOf(value)
  },

  number(value) {
    const number = numberOf(value)
    return number !== undefined && Math.abs(number) <= LARGEST_NUMBER ? number : undefined
  },

  integer(value) {
    const number = numberOf(value)
    return Number.isSafeInteger(number) ? number : undefined
  },

  boolean(value) {
    const text = textOf(value)?.trim().toLowerCase()
    if (text === 'true' || text === '1') return true
    return text === 'false' || text === '0' ? false : undefined
  },

  date(value) {
    if (typeof value !== 'string') return undefined
    const text = value.trim()
    return readDate(text) !== undefined || readDatetime(text) !== undefined ? text.slice(0, 10) : undefined
  },

  list(value) {
    if (!Array.isArray(value)) {
      const item = textOf(value)
      return item === undefined ? undefined : [item]
    }
    const items = value.map(textOf)
    return items.every((item) => item !== undefined) ? items : undefined
  },
}

/** A scalar as text: a number or boolean by its JSON text; undefined for arrays, objects and null. */
export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The number that a text writes; undefined for one that a double would round. */
function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  const digits = significantDigits(text)
  const number = Number(text)
  return digits !== null && digits === significantDigits(String(number)) ? number : undefined
}

/** The digits of a number without the zeros around them, and the power of ten of the first one: equal for `12` and `1.20e1`. */
function significantDigits(text: string): string | null {
  const [match, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (match === undefined) return null
  const digits = (whole + fraction).replace(/^0+/, '')
  // Up to the last other digit. An expression for the zeros at the end takes quadratic time.
  const significant = /^.*[1-9]/.exec(digits)?.[0]
  return significant === undefined ? '0' : `${significant} ${digits.length - fraction.length + Number(exponent)}`
}
