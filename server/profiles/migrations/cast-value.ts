import { readDate, readDatetime } from '../../../contract/fields/calendar.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import { LARGEST_NUMBER } from '../../../contract/fields/types/numbers.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'

/** What a `cast` step casts to. */
export type CastTarget = Extract<ProfileMigration, { cast: unknown }>['cast']['to']

/** A number as JSON writes it; texts such as `007`, `+5` and `1,000` stand for something else than a number. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

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

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  return NUMBER.test(text) ? Number(text) : undefined
}
