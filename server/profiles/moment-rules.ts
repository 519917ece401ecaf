import type { RuleValues } from './field-kind.ts'
import { given, lowerBound, type Rule, type RuleShape, upperBound } from './rules.ts'

/** Reads a moment into a number that orders it among its kind; undefined when the text is none. */
type ReadMoment = (text: string) => number | undefined

/** `min` and `max` of a date, datetime or time: moments of the same kind, written as `example`. */
export function momentRules(read: ReadMoment, example: string): Record<'min' | 'max', Rule> {
  const shape: RuleShape = {
    refuse: (value) =>
      typeof value === 'string' && read(value) !== undefined ? null : `must be written as ${example}; ${given(value)}`,
    order: (value) => read(value as string)!,
  }
  return { min: lowerBound(shape), max: upperBound(shape) }
}

/** Refuses `min` after `max`. */
export function momentContradictions(rules: RuleValues, read: ReadMoment): Record<string, string> {
  const { min, max } = momentBounds(rules, read)
  return min > max ? { min: 'is after max; move min back or max forward' } : {}
}

/** The bounds as numbers; infinite where there is none. */
export function momentBounds(rules: RuleValues, read: ReadMoment): { min: number; max: number } {
  const bound = (name: string, none: number) => {
    const text = rules[name]
    return typeof text === 'string' ? (read(text) ?? none) : none
  }
  return { min: bound('min', Number.NEGATIVE_INFINITY), max: bound('max', Number.POSITIVE_INFINITY) }
}
