import { numberOr } from '../../../../contract/fields/field-type.ts'
import { DEFAULT_LENGTH, lengthLimit, MAX_MATCHED_LENGTH } from '../../../../contract/fields/types/written-text.ts'
import type { FieldKind } from '../field-kind.ts'
import { patternRule } from '../pattern.ts'
import { crossedBounds, lowerBound, upperBound, wholeNumber } from '../rules.ts'

/** The longest text that rules can allow, in code points: it fits a request body together with other fields. */
const LONGEST = 20_000

export const text: FieldKind = textKind(DEFAULT_LENGTH.text)

export const multiline: FieldKind = textKind(DEFAULT_LENGTH.multiline)

function textKind(longest: number): FieldKind {
  return {
    takesOptions: false,
    rules: {
      minLength: lowerBound(wholeNumber(0, LONGEST), 1),
      maxLength: upperBound(wholeNumber(1, LONGEST), longest),
      pattern: patternRule,
    },
    impliedBounds: (rules) => ({ maxLength: lengthLimit(rules, longest) }),
    contradictions(rules): Record<string, string> {
      const limit = lengthLimit(rules, longest)
      if (rules['pattern'] !== undefined && limit > MAX_MATCHED_LENGTH) {
        return {
          maxLength: `above ${MAX_MATCHED_LENGTH}, the limit for fields with a pattern; lower it or remove the pattern`,
        }
      }
      return crossedBounds(['minLength', numberOr(rules, 'minLength', 1)], ['maxLength', limit])
    },
    matchedCharacters: (rules) => lengthLimit(rules, longest),
  }
}
