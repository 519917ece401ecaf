import { type FieldCheck, type FieldKind, numberOr, type RuleValues } from './field-kind.ts'
import { RULE_NOT_MET, typeMismatch } from './profile-messages.ts'
import { condition, crossedBounds, given, lowerBound, type RuleShape, upperBound } from './rules.ts'

/** The largest number of which a double still holds every whole neighbour. */
const LIMIT = Number.MAX_SAFE_INTEGER

/**
 * The kind of numbers, or of whole numbers. A number beyond 2^53 - 1 either way is refused: a double no longer holds
 * each of them, so the value stored might not be the value sent (threat A16). NaN and infinities stand for numbers that
 * JSON could not hold and are refused in the same way.
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
    // Asked as what is right, so that NaN is refused too.
    if (!(value >= min && value <= max)) return RULE_NOT_MET
    return step === undefined || isOnStep(value, base, step) ? null : RULE_NOT_MET
  }
}

/**
 * Whether `value` is a whole number of steps from `base`. 0.3 is three steps of 0.1 although its double is not: the
 * tolerance is what rounding the decimals to doubles can have moved, a few units in the last place.
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
