import { typeName } from '../../contract/validation-messages.ts'

/** One rule a field kind knows: which values the rule itself may have, and when changing it shuts values out. */
export interface Rule {
  /** What is wrong with the value given to the rule and what to do, or null. */
  refuse(value: unknown): string | null
  /** Whether values allowed under `before` can be refused under `after`; undefined where the rule is absent. */
  narrows(before: unknown, after: unknown): boolean
}

/** The values a rule may be given, and their order where it is a bound. */
export interface RuleShape {
  refuse(value: unknown): string | null
  order(value: unknown): number
}

/** A whole number between `from` and `to`, both allowed. */
export function wholeNumber(from: number, to: number): RuleShape {
  return {
    refuse: (value) =>
      Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to
        ? null
        : `must be a whole number from ${from} to ${to}; ${given(value)}`,
    order: Number,
  }
}

/** A finite number that JSON and a double hold exactly. */
export const exactNumber: RuleShape = {
  refuse: (value) =>
    typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
      ? null
      : `must be a number of at most ${Number.MAX_SAFE_INTEGER} either way; ${given(value)}`,
  order: Number,
}

/** A bound from below: raising it, or setting it where there was none, narrows. */
export function lowerBound(shape: RuleShape, fallback?: number): Rule {
  return {
    refuse: shape.refuse,
    narrows: (before = fallback, after = fallback) =>
      after !== undefined && (before === undefined || shape.order(after) > shape.order(before)),
  }
}

/** A bound from above: lowering it, or setting it where there was none, narrows. */
export function upperBound(shape: RuleShape, fallback?: number): Rule {
  return {
    refuse: shape.refuse,
    narrows: (before = fallback, after = fallback) =>
      after !== undefined && (before === undefined || shape.order(after) < shape.order(before)),
  }
}

/** A condition that cannot be compared with another (a pattern, a step): any new value narrows, taking it away does not. */
export function condition(refuse: (value: unknown) => string | null): Rule {
  return { refuse, narrows: (before, after) => after !== undefined && after !== before }
}

/** A switch: turning it on narrows. */
export const flag: Rule = {
  refuse: (value) => (typeof value === 'boolean' ? null : `must be true or false; ${given(value)}`),
  narrows: (before, after) => after === true && before !== true,
}

/** A list of the only values allowed: 1 to 100 strings, each accepted by `allows`, compared by their `key`. */
export function allowList(allows: (item: string) => boolean, what: string, key: (item: string) => string): Rule {
  return {
    refuse: (value) => {
      if (!Array.isArray(value) || value.length < 1 || value.length > 100) {
        return `must be a list of 1 to 100 ${what}; ${Array.isArray(value) ? `this one has ${value.length}` : given(value)}`
      }
      const bad = value.findIndex((item) => typeof item !== 'string' || !allows(item))
      if (bad >= 0) return `must be a list of ${what}; item ${bad} is none`
      return new Set(value.map(key)).size < value.length ? 'names a value twice; remove the repetition' : null
    },
    narrows: (before, after) => {
      if (!Array.isArray(after)) return false
      if (!Array.isArray(before)) return true
      const kept = new Set(after.map(key))
      return before.some((item) => !kept.has(key(item)))
    },
  }
}

/**
 * The problem of two bounds that leave no value between them, under the lower one's name; none when they are in order.
 */
export function crossedBounds(
  [lowName, low]: [name: string, value: number],
  [highName, high]: [name: string, value: number],
): Record<string, string> {
  if (low <= high) return {}
  return { [lowName]: `is ${low}, above ${highName} (${high}); lower ${lowName} or raise ${highName}` }
}

/** "this is of type string" or "this is 1.5", for the end of a refusal. */
export function given(value: unknown): string {
  return typeof value === 'number' ? `this is ${value}` : `this is of type ${typeName(value)}`
}
