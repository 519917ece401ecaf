import { readTime } from '../calendar.ts'
import type { FieldKind } from '../field-kind.ts'
import { momentBounds, momentContradictions, momentRules } from '../moment-rules.ts'
import { checkMoment, holdsString } from '../string-field.ts'

/** A time of day without a zone, `HH:MM` or `HH:MM:SS[.fraction]`. */
export const time: FieldKind = {
  expects: 'string',
  takesOptions: false,
  rules: momentRules(readTime, '09:30 or 09:30:00'),
  contradictions: (rules) => momentContradictions(rules, readTime),
  holds: holdsString,
  compile(rules) {
    const { min, max } = momentBounds(rules, readTime)
    return checkMoment(readTime, (moment) => moment >= min && moment <= max)
  },
}
