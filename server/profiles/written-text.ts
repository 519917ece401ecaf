import { type FieldKind, numberOr, type RuleValues } from './field-kind.ts'
import { compilePattern, MAX_MATCHED_LENGTH, matchingSteps, patternRule } from './pattern.ts'
import { crossedBounds, lowerBound, upperBound, wholeNumber } from './rules.ts'
import { checkString, holdsString } from './string-field.ts'
import { isLongerThan } from './text-length.ts'

/** The longest text that rules can allow, in code points: it fits a request body together with other fields. */
const LONGEST = 20_000

/** The kind of free text, of 1 to `longest` code points unless its rules say otherwise; `""` needs `minLength: 0`. */
export function textKind(longest: number): FieldKind {
  const lengthLimit = (rules: RuleValues) =>
    numberOr(rules, 'maxLength', rules['pattern'] === undefined ? longest : MAX_MATCHED_LENGTH)
  return {
    expects: 'string',
    takesOptions: false,
    rules: {
      minLength: lowerBound(wholeNumber(0, LONGEST), 1),
      maxLength: upperBound(wholeNumber(1, LONGEST), longest),
      pattern: patternRule,
    },
    contradictions(rules): Record<string, string> {
      const limit = lengthLimit(rules)
      if (rules['pattern'] !== undefined && limit > MAX_MATCHED_LENGTH) {
        return {
          maxLength: `above ${MAX_MATCHED_LENGTH}, the limit for fields with a pattern; lower it or remove the pattern`,
        }
      }
      return crossedBounds(['minLength', numberOr(rules, 'minLength', 1)], ['maxLength', limit])
    },
    matchingSteps: (rules) =>
      rules['pattern'] === undefined ? 0 : matchingSteps(rules['pattern'] as string, lengthLimit(rules)),
    holds: holdsString,
    compile(rules) {
      const limit = lengthLimit(rules)
      const matches = rules['pattern'] === undefined ? undefined : compilePattern(rules['pattern'] as string)
      return checkString(numberOr(rules, 'minLength', 1), (value) => {
        // The length first, because it bounds the cost of the pattern.
        return !isLongerThan(value, limit) && (matches === undefined || matches(value))
      })
    },
  }
}
