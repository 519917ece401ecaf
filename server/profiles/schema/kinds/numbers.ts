import { numberOr } from '../../../../contract/fields/field-type.ts'
import { isOnStep, LARGEST_NUMBER } from '../../../../contract/fields/types/numbers.ts'
import type { FieldKind } from '../field-kind.ts'
import {
  crossedBounds,
  exactNumber,
  given,
  lowerBound,
  type RuleShape,
  unordered,
  upperBound,
  wholeNumber,
} from '../rules.ts'

export const number: FieldKind = numericKind(exactNumber)

export const integer: FieldKind = numericKind(wholeNumber(-LARGEST_NUMBER, LARGEST_NUMBER))

function numericKind(bound: RuleShape): FieldKind {
  return {
    takesOptions: false,
    rules: { min: lowerBound(bound), max: upperBound(bound), step: unordered((value) => refuseStep(value, bound)) },
    contradictions: (rules) =>
      crossedBounds(['min', numberOr(rules, 'min', -LARGEST_NUMBER)], ['max', numberOr(rules, 'max', LARGEST_NUMBER)]),
    narrowedTogether: (before, after) => {
      // Steps are counted from the lower bound.
      const [was, is] = [before, after].map((rules) => numberOr(rules, 'min', 0)) as [number, number]
      const step = after['step'] as number | undefined
      // Another step is reported by itself.
      if (step === undefined || step !== before['step'] || isOnStep(is, was, step)) return []
      return [`Rule step counts from ${is} instead of ${was}.`]
    },
  }
}

function refuseStep(value: unknown, bound: RuleShape): string | null {
  return bound.refuse(value) ?? ((value as number) > 0 ? null : `must be above 0; ${given(value)}`)
}
