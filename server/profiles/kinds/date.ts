import { ageInYears, readDate } from '../calendar.ts'
import { type FieldKind, numberOr, type RuleValues } from '../field-kind.ts'
import { momentBounds, momentContradictions, momentRules } from '../moment-rules.ts'
import { crossedBounds, lowerBound, upperBound, wholeNumber } from '../rules.ts'
import { checkMoment, holdsString } from '../string-field.ts'

const age = wholeNumber(0, 200)
const minAgeOf = (rules: RuleValues) => numberOr(rules, 'minAge', Number.NEGATIVE_INFINITY)
const maxAgeOf = (rules: RuleValues) => numberOr(rules, 'maxAge', Number.POSITIVE_INFINITY)

/**
 * A day, `YYYY-MM-DD`. Rules: `min`, `max`, and `minAge`, `maxAge` in whole years by the current UTC day. The birthday of
 * 29 February is 1 March in a common year.
 */
export const date: FieldKind = {
  expects: 'string',
  takesOptions: false,
  rules: { ...momentRules(readDate, '2001-12-31'), minAge: lowerBound(age), maxAge: upperBound(age) },
  contradictions: (rules) => ({
    ...momentContradictions(rules, readDate),
    ...crossedBounds(['minAge', minAgeOf(rules)], ['maxAge', maxAgeOf(rules)]),
  }),
  holds: holdsString,
  compile(rules) {
    const { min, max } = momentBounds(rules, readDate)
    const minAge = minAgeOf(rules)
    const maxAge = maxAgeOf(rules)
    const asksAge = rules['minAge'] !== undefined || rules['maxAge'] !== undefined
    return checkMoment(readDate, (day, now) => {
      if (day < min || day > max) return false
      if (!asksAge) return true
      const years = ageInYears(day, now)
      return years >= minAge && years <= maxAge
    })
  },
}
