import { checkString, holdsString } from '../check-string.ts'
import { type FieldType, numberOr, type RuleValues } from '../field-type.ts'
import { isLongerThan } from '../sound-text.ts'

/** Code points in a value, or in a list item, that a pattern is matched against. */
export const MAX_MATCHED_LENGTH = 1024

/** The default of `maxLength`, in code points. */
export const DEFAULT_LENGTH = { text: 2048, multiline: 20_000 } as const

/** The most code points that the rules allow; a pattern bounds them further. */
export function lengthLimit(rules: RuleValues, longest: number): number {
  return numberOr(rules, 'maxLength', rules['pattern'] === undefined ? longest : MAX_MATCHED_LENGTH)
}

/** Free text, of 1 to `longest` code points unless its rules say otherwise; `""` needs `minLength: 0`. */
function textType(longest: number): FieldType {
  return {
    expects: 'string',
    holds: holdsString,
    compile(rules, _options, engines) {
      const limit = lengthLimit(rules, longest)
      const pattern = rules['pattern'] as string | undefined
      const matches = pattern === undefined ? undefined : engines.compilePattern(pattern)
      return checkString(numberOr(rules, 'minLength', 1), (value) => {
        // The length first, because it bounds the cost of the pattern.
        if (isLongerThan(value, limit)) return { rule: 'maxLength', maxLength: limit }
        return matches === undefined || matches(value) ? null : { rule: 'pattern' }
      })
    },
  }
}

/** One line of text. Line breaks are accepted; use `pattern` to reject them. */
export const text: FieldType = textType(DEFAULT_LENGTH.text)

/** Text of several lines. */
export const multiline: FieldType = textType(DEFAULT_LENGTH.multiline)
