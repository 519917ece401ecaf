import type { FieldType } from '../field-type.ts'
import { RULE_NOT_MET, typeMismatch } from '../messages.ts'

/** `mustBeTrue` accepts only true, for example for terms of service. */
export const boolean: FieldType = {
  expects: 'boolean',
  holds: (value) => typeof value === 'boolean',
  compile(rules) {
    const mustBeTrue = rules['mustBeTrue'] === true
    return (value) => {
      if (typeof value !== 'boolean') return typeMismatch('boolean', value)
      return mustBeTrue && !value ? RULE_NOT_MET : null
    }
  },
}
