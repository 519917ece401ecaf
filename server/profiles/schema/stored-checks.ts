import { readDatetime } from '../../../contract/fields/calendar.ts'
import { type FieldProblem, wrongDate, wrongType } from '../../../contract/fields/field-problem.ts'
import type { FieldCheck, FieldEngines, FieldOption, RuleValues } from '../../../contract/fields/field-type.ts'
import { fieldTypes } from '../../../contract/fields/field-types.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import { FUTURE_TIME } from '../../../contract/fields/messages.ts'

/**
 * Compiles the check of values that were stored before, as an import has them, for the types whose values time makes invalid: a
 * consent to an earlier text or one that was not given, an age that has passed, a currency that was withdrawn.
 */
export function compileStored(
  type: string,
  rules: RuleValues,
  options: readonly FieldOption[],
  engines: FieldEngines,
): FieldCheck | undefined {
  switch (type) {
    case 'boolean':
      return fieldTypes.boolean.compile({}, options, engines)
    case 'currency':
      return fieldTypes.currency.compile(rules, options, { ...engines, isCurrency: () => true })
    case 'date': {
      const { maxAge: _, ...others } = rules
      return fieldTypes.date.compile(others, options, engines)
    }
    case 'consent': {
      const check = fieldTypes.consent.compile({}, options, engines)
      return (value, now) => check(value, now) ?? checkTime((value as { at?: JsonValue }).at, now)
    }
    default:
      return undefined
  }
}

/** The first time that a consent can be stored with: in UTC, an offset may lead to the year 0. */
const firstTime = readDatetime('0001-01-01T00:00:00Z')!

/** The time of a consent, if it is known. */
function checkTime(at: JsonValue | undefined, now: number): FieldProblem | null {
  if (at === undefined || at === null) return null
  if (typeof at !== 'string') return wrongType('string', at)
  const moment = readDatetime(at)
  if (moment === undefined || moment < firstTime) return wrongDate('datetime')
  if (moment <= now) return null
  return { message: FUTURE_TIME, detail: { rule: 'max', max: new Date(now).toISOString() } }
}
