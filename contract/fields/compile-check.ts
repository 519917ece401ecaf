import { checkClaim } from './claim-value.ts'
import { notMet } from './field-problem.ts'
import type { FieldCheck, FieldEngines, FieldNormalisation, FieldOption, FieldType, RuleValues } from './field-type.ts'

/** What the check of a field depends on besides its type. */
interface CheckedComponent {
  readonly rules?: RuleValues | undefined
  readonly options?: readonly FieldOption[] | undefined
  readonly required?: boolean | undefined
  readonly claim?: boolean | undefined
}

/** The check of a component: of its type, and what its keys ask of values of any type. */
export function compileCheck(type: FieldType, component: CheckedComponent, engines: FieldEngines): FieldCheck {
  const { rules = {}, options = [], required, claim } = component
  const check = type.compile(rules, options, engines)
  if (claim === true) return checkClaim(check)
  const normalise = type.compileNormalisation?.(rules)
  return required === true && normalise !== undefined ? checkNotEmpty(check, normalise) : check
}

/** Refuses a value that would clear a required field. */
function checkNotEmpty(check: FieldCheck, normalise: FieldNormalisation): FieldCheck {
  return (value, now) => {
    const problem = check(value, now)
    if (problem !== null) return problem
    return normalise(value, null, now) === null ? notMet({ rule: 'required' }) : null
  }
}
