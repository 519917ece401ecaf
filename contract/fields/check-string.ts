import type { FieldCheck, JsonValue } from './field-type.ts'
import { INVALID_DATE, INVALID_STRING, RULE_NOT_MET, tooShort, typeMismatch } from './messages.ts'
import { isShorterThan, isSoundText } from './sound-text.ts'

/** `holds` of every type whose value is a string. */
export const holdsString = (value: JsonValue): boolean => typeof value === 'string'

/** The check of a string: type, then NUL and surrogates, then `minLength` in code points, then `accepts`. */
export function checkString(minLength: number, accepts: (value: string) => boolean): FieldCheck {
  const short = tooShort(minLength)
  return (value) => {
    if (typeof value !== 'string') return typeMismatch('string', value)
    if (!isSoundText(value)) return INVALID_STRING
    if (isShorterThan(value, minLength)) return short
    return accepts(value) ? null : RULE_NOT_MET
  }
}

/**
 * The check of a date or time: type, then NUL and surrogates, then the format (`read` returns undefined when it is invalid),
 * then `accepts`.
 */
export function checkMoment(
  read: (value: string) => number | undefined,
  accepts: (moment: number, now: number) => boolean,
): FieldCheck {
  return (value, now) => {
    if (typeof value !== 'string') return typeMismatch('string', value)
    if (!isSoundText(value)) return INVALID_STRING
    const moment = read(value)
    if (moment === undefined) return INVALID_DATE
    return accepts(moment, now) ? null : RULE_NOT_MET
  }
}
