import type { FieldCheck, JsonValue } from './field-type.ts'
import { INVALID_STRING, RULE_NOT_MET, typeMismatch } from './messages.ts'
import { isSoundText } from './sound-text.ts'

/** `holds` of every type whose value is an array of strings. */
export const holdsStrings = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * The check of an array of strings: type, then NUL and surrogates in the items, then the number of items, so that a huge
 * array is cheap to reject (threat E04), then `accepts` for each item and uniqueness.
 */
export function checkStringArray(
  limits: { minItems: number; maxItems: number; unique: boolean },
  accepts: (item: string) => boolean,
): FieldCheck {
  const { minItems, maxItems, unique } = limits
  return (value) => {
    if (!Array.isArray(value)) return typeMismatch('array', value)
    for (const item of value) if (typeof item === 'string' && !isSoundText(item)) return INVALID_STRING
    if (value.length < minItems || value.length > maxItems) return RULE_NOT_MET
    for (const item of value) if (typeof item !== 'string' || !accepts(item)) return RULE_NOT_MET
    return unique && new Set(value).size < value.length ? RULE_NOT_MET : null
  }
}
