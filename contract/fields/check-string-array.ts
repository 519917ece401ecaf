import { type FieldDetail, notMet, wrongCharacters, wrongType } from './field-problem.ts'
import type { FieldCheck } from './field-type.ts'
import type { JsonValue } from './json-value.ts'
import { isSoundText } from './sound-text.ts'

/** `holds` of every type whose value is an array of strings. */
export const holdsStrings = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * The check of an array of strings: type, then NUL and surrogates in the items, then the number of items, so that a huge
 * array is cheap to reject (threat E04), then the rules that `violated` checks for each item, then uniqueness.
 */
export function checkStringArray(
  limits: { minItems: number; maxItems: number; unique: boolean },
  violated: (item: string) => FieldDetail | null,
): FieldCheck {
  const { minItems, maxItems, unique } = limits
  return (value) => {
    if (!Array.isArray(value)) return wrongType('array', value)
    for (const item of value) if (typeof item === 'string' && !isSoundText(item)) return wrongCharacters
    if (value.length < minItems) return notMet({ rule: 'minItems', minItems })
    if (value.length > maxItems) return notMet({ rule: 'maxItems', maxItems })
    for (const item of value) {
      const detail = typeof item === 'string' ? violated(item) : ({ rule: 'items', items: 'text' } as const)
      if (detail !== null) return notMet(detail)
    }
    return unique && new Set(value).size < value.length ? notMet({ rule: 'uniqueItems' }) : null
  }
}
