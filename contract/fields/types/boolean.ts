import { notMet, wrongType } from '../field-problem.ts'
import type { FieldCheck, FieldType } from '../field-type.ts'

const checkBoolean: FieldCheck = (value) => (typeof value === 'boolean' ? null : wrongType('boolean', value))

/** `mustBeTrue` accepts only true, for example for terms of service. */
export const boolean: FieldType = {
  expects: 'boolean',
  holds: (value) => typeof value === 'boolean',
  compile(rules) {
    if (rules['mustBeTrue'] !== true) return checkBoolean
    return (value, now) => checkBoolean(value, now) ?? (value ? null : notMet({ rule: 'mustBeTrue' }))
  },
  compileStored: () => checkBoolean,
}
