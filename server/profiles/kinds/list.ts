import { type FieldKind, numberOr, type RuleValues } from '../field-kind.ts'
import { compilePattern, MAX_MATCHED_LENGTH, matchingSteps, patternRule } from '../pattern.ts'
import { crossedBounds, flag, lowerBound, upperBound, wholeNumber } from '../rules.ts'
import { checkStringArray, holdsStrings } from '../string-array-field.ts'
import { isLongerThan, isShorterThan } from '../text-length.ts'

const limitsOf = (rules: RuleValues) => ({
  minItems: numberOr(rules, 'minItems', 0),
  maxItems: numberOr(rules, 'maxItems', 100),
  itemMinLength: numberOr(rules, 'itemMinLength', 1),
  itemMaxLength: numberOr(rules, 'itemMaxLength', 256),
  unique: rules['unique'] === true,
})

/** Free strings in order: by default 0 to 100 items of 1 to 256 code points. */
export const list: FieldKind = {
  expects: 'array',
  takesOptions: false,
  rules: {
    minItems: lowerBound(wholeNumber(0, 1000), 0),
    maxItems: upperBound(wholeNumber(1, 1000), 100),
    itemMinLength: lowerBound(wholeNumber(0, MAX_MATCHED_LENGTH), 1),
    itemMaxLength: upperBound(wholeNumber(1, MAX_MATCHED_LENGTH), 256),
    pattern: patternRule,
    unique: flag,
  },
  contradictions(rules) {
    const { minItems, maxItems, itemMinLength, itemMaxLength } = limitsOf(rules)
    return {
      ...crossedBounds(['minItems', minItems], ['maxItems', maxItems]),
      ...crossedBounds(['itemMinLength', itemMinLength], ['itemMaxLength', itemMaxLength]),
    }
  },
  matchingSteps(rules) {
    const { maxItems, itemMaxLength } = limitsOf(rules)
    return rules['pattern'] === undefined ? 0 : matchingSteps(rules['pattern'] as string, maxItems * itemMaxLength)
  },
  holds: holdsStrings,
  compile(rules) {
    const limits = limitsOf(rules)
    const matches = rules['pattern'] === undefined ? undefined : compilePattern(rules['pattern'] as string)
    return checkStringArray(limits, (item) => {
      if (isShorterThan(item, limits.itemMinLength) || isLongerThan(item, limits.itemMaxLength)) return false
      return matches === undefined || matches(item)
    })
  },
}
