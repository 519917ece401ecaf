import { readDatetime } from '../calendar.ts'
import type { FieldKind } from '../field-kind.ts'
import { momentBounds, momentContradictions, momentRules } from '../moment-rules.ts'
import { checkMoment, holdsString } from '../string-field.ts'

/** An instant, RFC 3339 with `Z` or an offset. `min` and `max` are compared as instants, whatever their offsets. */
export const datetime: FieldKind = {
  expects: 'string',
  takesOptions: false,
  rules: momentRules(readDatetime, '2001-12-31T23:59:59Z'),
  contradictions: (rules) => momentContradictions(rules, readDatetime),
  holds: holdsString,
  compile(rules) {
    const { min, max } = momentBounds(rules, readDatetime)
    return checkMoment(readDatetime, (instant) => instant >= min && instant <= max)
  },
}
