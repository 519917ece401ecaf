import { notMet, wrongType } from '../field-problem.ts'
import { type FieldCheck, type FieldType, numberOr, type RuleValues } from '../field-type.ts'

/** Up to here a double represents every integer. */
export const LARGEST_NUMBER: number = Number.MAX_SAFE_INTEGER

/**
 * Numbers, or integers. Numbers outside ±(2^53 − 1) are rejected: a double does not represent each of them, so the stored
 * value might differ from the sent one (threat A16). NaN and infinities, which the parser uses for numbers outside the range
 * of a double, are rejected alike.
 */
function numericType(expects: 'number' | 'integer'): FieldType {
  return {
    expects,
    holds: (value) => Number.isFinite(value) && (expects === 'number' || Number.isInteger(value)),
    compile: (rules) => checkNumber(expects, rules),
  }
}

function checkNumber(expects: 'number' | 'integer', rules: RuleValues): FieldCheck {
  const min = numberOr(rules, 'min', -LARGEST_NUMBER)
  const max = numberOr(rules, 'max', LARGEST_NUMBER)
  const step = rules['step'] as number | undefined
  const base = numberOr(rules, 'min', 0)
  return (value) => {
    if (typeof value !== 'number') return wrongType(expects, value)
    if (expects === 'integer' && Number.isFinite(value) && !Number.isInteger(value)) return wrongType(expects, value)
    // The negated conditions also reject NaN.
    if (!(value >= min)) return notMet({ rule: 'min', min })
    if (!(value <= max)) return notMet({ rule: 'max', max })
    return step === undefined || isOnStep(value, base, step) ? null : notMet({ rule: 'step', step })
  }
}

/**
 * Whether `value` is a multiple of `step` away from `base`. 0.3 is three steps of 0.1 although its double is not: the
 * tolerance covers the rounding of decimals to doubles, a few units in the last place.
 */
export function isOnStep(value: number, base: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(base) && Number.isInteger(step)) {
    // Remainders of integers are exact, and small enough to subtract.
    return ((value % step) - (base % step)) % step === 0
  }
  const steps = (value - base) / step
  const tolerance = (8 * Number.EPSILON * (Math.abs(value) + Math.abs(base))) / step
  return Math.abs(steps - Math.round(steps)) <= tolerance
}

/** A number. Rules: `min`, `max`, and `step` counted from `min`, or from 0 without one. */
export const number: FieldType = numericType('number')

/** An integer; 1.0 is one, because JSON does not distinguish it from 1. Rules as for `number`, with integers. */
export const integer: FieldType = numericType('integer')
