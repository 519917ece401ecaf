import { isSoundText } from '../../contract/text.ts'
import type { FieldCheck, JsonValue } from './field-kind.ts'
import { INVALID_STRING, RULE_NOT_MET, typeMismatch } from './profile-messages.ts'

/** `holds` of every kind whose value is an array of strings. */
export const holdsStrings = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * The judge of an array of strings: type, then NUL and surrogates in any item, then the number of items, before the items
 * themselves so that a huge array is cheap to refuse (threat E04), then uniqueness and what `keeps` wants of each.
 */
export function checkStringArray(
  limits: { minItems: number; maxItems: number; unique: boolean },
  keeps: (item: string) => boolean,
): FieldCheck {
  const { minItems, maxItems, unique } = limits
  return (value) => {
    if (!Array.isArray(value)) return typeMismatch('array', value)
    for (const item of value) if (typeof item === 'string' && !isSoundText(item)) return INVALID_STRING
    if (value.length < minItems || value.length > maxItems) return RULE_NOT_MET
    for (const item of value) if (typeof item !== 'string' || !keeps(item)) return RULE_NOT_MET
    return unique && new Set(value).size < value.length ? RULE_NOT_MET : null
  }
}
