import type { ComponentOption } from '../../../contract/profile-schema.ts'
import { type FieldKind, numberOr, type RuleValues } from '../field-kind.ts'
import { crossedBounds, lowerBound, upperBound, wholeNumber } from '../rules.ts'
import { checkStringArray, holdsStrings } from '../string-array-field.ts'

const count = wholeNumber(0, 500)
const mostItems = (rules: RuleValues, options: readonly ComponentOption[]) =>
  Math.min(numberOr(rules, 'maxItems', options.length), options.length)

/** Any of the options, each at most once; may be empty unless `minItems` is set. */
export const multiselect: FieldKind = {
  expects: 'array',
  takesOptions: true,
  rules: { minItems: lowerBound(count, 0), maxItems: upperBound(count, 500) },
  contradictions: (rules, options) =>
    crossedBounds(['minItems', numberOr(rules, 'minItems', 0)], ['maxItems', mostItems(rules, options)]),
  holds: holdsStrings,
  compile(rules, options) {
    const values = new Set(options.map((option) => option.value))
    const limits = { minItems: numberOr(rules, 'minItems', 0), maxItems: mostItems(rules, options), unique: true }
    return checkStringArray(limits, (item) => values.has(item))
  },
}
