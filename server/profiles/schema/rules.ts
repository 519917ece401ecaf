import { typeName } from '../../../contract/fields/messages.ts'

/** The characters of a refused value that a message quotes. */
const MAX_QUOTED = 64

/** One rule of a field kind: which values the rule itself may have, and when a change makes fields accept less. */
export interface Rule {
  /** The problem with the rule's value, or null. */
  refuse(value: unknown): string | null
  /** Whether a value allowed under `before` can be rejected under `after`; undefined means that the rule is absent. */
  narrows(before: unknown, after: unknown): boolean
}

/** The values a rule may have, and their order for a bound. */
export interface RuleShape {
  refuse(value: unknown): string | null
  order(value: unknown): number
}

/** An integer from `from` to `to`, inclusive. */
export function wholeNumber(from: number, to: number): RuleShape {
  return {
    refuse: (value) =>
      Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to
        ? null
        : `must be an integer from ${from} to ${to}; ${given(value)}`,
    order: Number,
  }
}

/** A number within ±(2^53 − 1), where a double keeps integers apart. */
export const exactNumber: RuleShape = {
  refuse: (value) =>
    typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
      ? null
      : `must be a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}; ${given(value)}`,
  order: Number,
}

/** A lower bound: raising or adding it narrows. */
export function lowerBound(shape: RuleShape, fallback?: number): Rule {
  return {
    refuse: shape.refuse,
    narrows: (before = fallback, after = fallback) =>
      after !== undefined && (before === undefined || shape.order(after) > shape.order(before)),
  }
}

/** An upper bound: lowering or adding it narrows. */
export function upperBound(shape: RuleShape, fallback?: number): Rule {
  return {
    refuse: shape.refuse,
    narrows: (before = fallback, after = fallback) =>
      after !== undefined && (before === undefined || shape.order(after) < shape.order(before)),
  }
}

/** A rule without an order (a pattern, a step): any new value narrows, removing it does not. */
export function unordered(refuse: (value: unknown) => string | null): Rule {
  return { refuse, narrows: (before, after) => after !== undefined && after !== before }
}

/** A boolean rule: turning it on narrows. */
export const flag: Rule = {
  refuse: (value) => (typeof value === 'boolean' ? null : `must be true or false; ${given(value)}`),
  narrows: (before, after) => after === true && before !== true,
}

/** An allow list: 1 to `most` strings, each accepted by `allows` and unique by `key`, by default itself. */
export function allowList(
  allows: (item: string) => boolean,
  what: string,
  { key = (item: string) => item, most = 100 } = {},
): Rule {
  return {
    refuse: (value) => {
      if (!Array.isArray(value) || value.length < 1 || value.length > most) {
        return `must be an array of 1 to ${most} ${what}; ${Array.isArray(value) ? `this has ${value.length}` : given(value)}`
      }
      const bad = value.findIndex((item) => typeof item !== 'string' || !allows(item))
      if (bad >= 0) return `must be an array of ${what}; correct item ${bad}`
      return new Set(value.map(key)).size < value.length ? 'duplicate item; each item must be unique' : null
    },
    narrows: (before, after) => {
      if (!Array.isArray(after)) return false
      if (!Array.isArray(before)) return true
      const kept = new Set(after.map(key))
      return before.some((item) => !kept.has(key(item)))
    },
  }
}

/** The problem of two bounds without a value between them, under the lower one's name; empty when there is one. */
export function crossedBounds(
  [lowName, low]: [name: string, value: number],
  [highName, high]: [name: string, value: number],
): Record<string, string> {
  if (low <= high) return {}
  return { [lowName]: `${low} is above ${highName} (${high}); lower ${lowName} or raise ${highName}` }
}

/** "this is 1.5", "this is \"object\"" or "this is of type array", for the end of a message. */
export function given(value: unknown): string {
  if (typeof value === 'number') return `this is ${value}`
  if (typeof value !== 'string') return `this is of type ${typeName(value)}`
  return `this is ${JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value)}`
}
