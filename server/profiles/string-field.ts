import { isSoundText } from '../../contract/text.ts'
import type { FieldCheck, JsonValue } from './field-kind.ts'
import { INVALID_DATE, INVALID_STRING, RULE_NOT_MET, tooShort, typeMismatch } from './profile-messages.ts'
import { isShorterThan } from './text-length.ts'

/** `holds` of every kind whose value is a string. */
export const holdsString = (value: JsonValue): boolean => typeof value === 'string'

/** The judge of a string: type, then NUL and surrogates, then `minLength` in code points, then whatever `keeps` wants. */
export function checkString(minLength: number, keeps: (value: string) => boolean): FieldCheck {
  const short = tooShort(minLength)
  return (value) => {
    if (typeof value !== 'string') return typeMismatch('string', value)
    if (!isSoundText(value)) return INVALID_STRING
    if (isShorterThan(value, minLength)) return short
    return keeps(value) ? null : RULE_NOT_MET
  }
}

/**
 * The judge of a date or time: type, then NUL and surrogates, then the format (`read` gives undefined for none, the empty
 * string included), then the rules on what was read.
 */
export function checkMoment(
  read: (value: string) => number | undefined,
  keeps: (moment: number, now: number) => boolean,
): FieldCheck {
  return (value, now) => {
    if (typeof value !== 'string') return typeMismatch('string', value)
    if (!isSoundText(value)) return INVALID_STRING
    const moment = read(value)
    if (moment === undefined) return INVALID_DATE
    return keeps(moment, now) ? null : RULE_NOT_MET
  }
}
