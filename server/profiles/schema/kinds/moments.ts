import { readDate, readDatetime, readMonth, readTime, readWeek } from '../../../../contract/fields/calendar.ts'
import type { RuleValues } from '../../../../contract/fields/field-type.ts'
import { ageBounds, momentBounds, type ReadMoment } from '../../../../contract/fields/types/moments.ts'
import type { FieldKind } from '../field-kind.ts'
import { crossedBounds, given, lowerBound, type Rule, type RuleShape, upperBound, wholeNumber } from '../rules.ts'

const age = wholeNumber(0, 200)

export const datetime: FieldKind = momentKind(readDatetime, '2001-12-31T23:59:59Z')

export const time: FieldKind = momentKind(readTime, '09:30 or 09:30:00')

export const month: FieldKind = momentKind(readMonth, '2001-12')

export const week: FieldKind = momentKind(readWeek, '2001-W52')

export const date: FieldKind = {
  takesOptions: false,
  rules: { ...momentRules(readDate, '2001-12-31'), minAge: lowerBound(age), maxAge: upperBound(age) },
  contradictions(rules) {
    const { minAge, maxAge } = ageBounds(rules)
    return { ...crossedMoments(rules, readDate), ...crossedBounds(['minAge', minAge], ['maxAge', maxAge]) }
  },
}

/** The kind of moments that `read` orders, with bounds written like `example`. */
function momentKind(read: ReadMoment, example: string): FieldKind {
  return {
    takesOptions: false,
    rules: momentRules(read, example),
    contradictions: (rules) => crossedMoments(rules, read),
  }
}

function momentRules(read: ReadMoment, example: string): Record<'min' | 'max', Rule> {
  const shape: RuleShape = {
    refuse: (value) =>
      typeof value === 'string' && read(value) !== undefined
        ? null
        : `must be valid, such as ${example}; ${given(value)}`,
    order: (value) => read(value as string)!,
  }
  return { min: lowerBound(shape), max: upperBound(shape) }
}

/** Rejects `min` after `max`. */
function crossedMoments(rules: RuleValues, read: ReadMoment): Record<string, string> {
  const { min, max } = momentBounds(rules, read)
  return min > max ? { min: 'after max; use an earlier min or a later max' } : {}
}
