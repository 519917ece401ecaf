import { listLimits } from '../../../contract/fields/types/list.ts'
import { MAX_MATCHED_LENGTH } from '../../../contract/fields/types/written-text.ts'
import type { FieldKind } from '../field-kind.ts'
import { matchingSteps, patternRule } from '../pattern.ts'
import { crossedBounds, flag, lowerBound, upperBound, wholeNumber } from '../rules.ts'

export const list: FieldKind = {
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
    const { minItems, maxItems, itemMinLength, itemMaxLength } = listLimits(rules)
    return {
      ...crossedBounds(['minItems', minItems], ['maxItems', maxItems]),
      ...crossedBounds(['itemMinLength', itemMinLength], ['itemMaxLength', itemMaxLength]),
    }
  },
  matchingSteps(rules) {
    const { maxItems, itemMaxLength } = listLimits(rules)
    return rules['pattern'] === undefined ? 0 : matchingSteps(rules['pattern'] as string, maxItems * itemMaxLength)
  },
}
