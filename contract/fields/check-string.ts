import { belowLength, type FieldDetail, notMet, wrongCharacters, wrongDate, wrongType } from './field-problem.ts'
import type { FieldCheck } from './field-type.ts'
import type { JsonValue } from './json-value.ts'
import { isShorterThan, isSoundText } from './sound-text.ts'

/** `holds` of every type whose value is a string. */
export const holdsString = (value: JsonValue): boolean => typeof value === 'string'

/**
 * The check of a string: type, then NUL and surrogates, then `minLength` in code points, then the rules that `violated`
 * checks; it returns the first violated one.
 */
export function checkString(minLength: number, violated: (value: string) => FieldDetail | null): FieldCheck {
  const short = belowLength(minLength)
  return (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (!isSoundText(value)) return wrongCharacters
    if (isShorterThan(value, minLength)) return short
    const detail = violated(value)
    return detail === null ? null : notMet(detail)
  }
}

/**
 * The check of a date or time: type, then NUL and surrogates, then the format (`read` returns undefined when it is invalid),
 * then the rules that `violated` checks.
 */
export function checkMoment(
  format: string,
  read: (value: string) => number | undefined,
  violated: (moment: number, now: number) => FieldDetail | null,
): FieldCheck {
  const invalid = wrongDate(format)
  return (value, now) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (!isSoundText(value)) return wrongCharacters
    const moment = read(value)
    if (moment === undefined) return invalid
    const detail = violated(moment, now)
    return detail === null ? null : notMet(detail)
  }
}
