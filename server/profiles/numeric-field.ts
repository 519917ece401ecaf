import { type FieldCheck, type FieldKind, numberOr, type RuleValues } from './field-kind.ts'
import { RULE_NOT_MET, typeMismatch } from './profile-messages.ts'
import { condition, crossedBounds, given, lowerBound, type RuleShape, upperBound } from './rules.ts'

/** Up to here a double represents every integer. */
const LIMIT = Number.MAX_SAFE_INTEGER

/**
 * The kind of numbers, or of integers. Numbers outside ±(2^53 − 1) are rejected: a double does not represent each of them,
 * so the stored value might differ from the sent one (threat A16). NaN and infinities, which the parser uses for numbers
 * outside the range of a double, are rejected alike.
 */
export function numericKind(expects: 'number' | 'integer', bound: RuleShape): FieldKind {
  return {
    expects,
    takesOptions: false,
    rules: { min: lowerBound(bound), max: upperBound(bound), step: condition((value) => refuseStep(value, bound)) },
    contradictions: (rules) =>
      crossedBounds(['min', numberOr(rules, 'min', -LIMIT)], ['max', numberOr(rules, 'max', LIMIT)]),
    holds: (value) => Number.isFinite(value) && (expects === 'number' || Number.isInteger(value)),
    compile: (rules) => checkNumber(expects, rules),
  }
}

function checkNumber(expects: 'number' | 'integer', rules: RuleValues): FieldCheck {
  const min = numberOr(rules, 'min', -LIMIT)
  const max = numberOr(rules, 'max', LIMIT)
  const step = rules['step'] as number | undefined
  const base = numberOr(rules, 'min', 0)
  return (value) => {
    if (typeof value !== 'number') return typeMismatch(expects, value)
    if (expects === 'integer' && Number.isFinite(value) && !Number.isInteger(value)) return typeMismatch(expects, value)
    // The negated condition also rejects NaN.
    if (!(value >= min && value <= max)) return RULE_NOT_MET
    return step === undefined || isOnStep(value, base, step) ? null : RULE_NOT_MET
  }
}

/**
 * Whether `value` is a multiple of `step` away from `base`. 0.3 is three steps of 0.1 although its double is not: the
 * tolerance covers the rounding of decimals to doubles, a few units in the last place.
 */
function isOnStep(value: number, base: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(base) && Number.isInteger(step)) {
    // Remainders of integers are exact, and small enough to subtract.
    return ((value % step) - (base % step)) % step === 0
  }
  const steps = (value - base) / step
  const tolerance = (8 * Number.EPSILON * (Math.abs(value) + Math.abs(base))) / step
  return Math.abs(steps - Math.round(steps)) <= tolerance
}

function refuseStep(value: unknown, bound: RuleShape): string | null {
  return bound.refuse(value) ?? ((value as number) > 0 ? null : `must be above 0; ${given(value)}`)
}
