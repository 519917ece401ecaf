import type { RuleValues } from './field-kind.ts'
import { given, lowerBound, type Rule, type RuleShape, upperBound } from './rules.ts'

/** Reads a date or time as a number that orders values of its kind; undefined when the text is invalid. */
type ReadMoment = (text: string) => number | undefined

/** The rules `min` and `max` of a date, datetime or time, written like `example`. */
export function momentRules(read: ReadMoment, example: string): Record<'min' | 'max', Rule> {
  const shape: RuleShape = {
    refuse: (value) =>
      typeof value === 'string' && read(value) !== undefined ? null : `must have the form ${example}; ${given(value)}`,
    order: (value) => read(value as string)!,
  }
  return { min: lowerBound(shape), max: upperBound(shape) }
}

/** Rejects `min` after `max`. */
export function momentContradictions(rules: RuleValues, read: ReadMoment): Record<string, string> {
  const { min, max } = momentBounds(rules, read)
  return min > max ? { min: 'after max; use an earlier min or a later max' } : {}
}

/** The bounds as numbers; infinite when absent. */
export function momentBounds(rules: RuleValues, read: ReadMoment): { min: number; max: number } {
  const bound = (name: string, none: number) => {
    const text = rules[name]
    return typeof text === 'string' ? (read(text) ?? none) : none
  }
  return { min: bound('min', Number.NEGATIVE_INFINITY), max: bound('max', Number.POSITIVE_INFINITY) }
}
