import { numberOr } from '../../../../contract/fields/field-type.ts'
import { mostItems } from '../../../../contract/fields/types/options.ts'
import type { FieldKind } from '../field-kind.ts'
import { crossedBounds, lowerBound, upperBound, wholeNumber } from '../rules.ts'

const count = wholeNumber(0, 500)

export const select: FieldKind = { takesOptions: true, rules: {} }

export const multiselect: FieldKind = {
  takesOptions: true,
  rules: { minItems: lowerBound(count, 0), maxItems: upperBound(count, 500) },
  impliedBounds: (rules, options) => ({ maxItems: mostItems(rules, options) }),
  contradictions: (rules, options) =>
    crossedBounds(['minItems', numberOr(rules, 'minItems', 0)], ['maxItems', mostItems(rules, options)]),
}
