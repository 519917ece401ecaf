import { ageInYears, readDate, readDatetime, readMonth, readTime, readWeek } from '../calendar.ts'
import { checkMoment, holdsString } from '../check-string.ts'
import type { FieldDetail } from '../field-problem.ts'
import { type FieldType, numberOr, type RuleValues } from '../field-type.ts'

/** Reads a date or time as a number that orders values of its type; undefined when the text is invalid. */
export type ReadMoment = (text: string) => number | undefined

/** The bounds as numbers; infinite when absent. */
export function momentBounds(rules: RuleValues, read: ReadMoment): { min: number; max: number } {
  const bound = (name: string, none: number) => {
    const text = rules[name]
    return typeof text === 'string' ? (read(text) ?? none) : none
  }
  return { min: bound('min', Number.NEGATIVE_INFINITY), max: bound('max', Number.POSITIVE_INFINITY) }
}

/** The bounds of the age in whole years; infinite when absent. */
export function ageBounds(rules: RuleValues): { minAge: number; maxAge: number } {
  return {
    minAge: numberOr(rules, 'minAge', Number.NEGATIVE_INFINITY),
    maxAge: numberOr(rules, 'maxAge', Number.POSITIVE_INFINITY),
  }
}

/** The violated bound of a moment, as the rules write it; null when there is none. */
function outOfBounds(rules: RuleValues, read: ReadMoment): (moment: number) => FieldDetail | null {
  const { min, max } = momentBounds(rules, read)
  return (moment) => {
    if (moment < min) return { rule: 'min', min: rules['min'] as string }
    return moment > max ? { rule: 'max', max: rules['max'] as string } : null
  }
}

function momentType(format: string, read: ReadMoment): FieldType {
  return {
    expects: 'string',
    holds: holdsString,
    compile: (rules) => checkMoment(format, read, outOfBounds(rules, read)),
  }
}

/** An instant, RFC 3339 with `Z` or an offset. `min` and `max` are compared as instants, whatever their offsets. */
export const datetime: FieldType = momentType('datetime', readDatetime)

/** A time of day without a zone, `HH:MM` or `HH:MM:SS[.fraction]`. */
export const time: FieldType = momentType('time', readTime)

/** A month of a year, `YYYY-MM`. */
export const month: FieldType = momentType('month', readMonth)

/** A week of a year by ISO 8601, `YYYY-Www`. */
export const week: FieldType = momentType('week', readWeek)

/**
 * A day, `YYYY-MM-DD`. Rules: `min`, `max`, and `minAge`, `maxAge` in whole years by the current UTC day. The birthday of
 * 29 February is 1 March in a common year.
 */
export const date: FieldType = {
  expects: 'string',
  holds: holdsString,
  compile(rules) {
    const violatedBound = outOfBounds(rules, readDate)
    const { minAge, maxAge } = ageBounds(rules)
    return checkMoment('date', readDate, (day, now) => {
      const bound = violatedBound(day)
      if (bound !== null) return bound
      const years = ageInYears(day, now)
      if (years < minAge) return { rule: 'minAge', minAge }
      return years > maxAge ? { rule: 'maxAge', maxAge } : null
    })
  },
}
