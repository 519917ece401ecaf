import type { FieldKind } from '../field-kind.ts'
import { RULE_NOT_MET, typeMismatch } from '../profile-messages.ts'
import { flag } from '../rules.ts'

/** `mustBeTrue` accepts only true, for example for terms of service. */
export const boolean: FieldKind = {
  expects: 'boolean',
  takesOptions: false,
  rules: { mustBeTrue: flag },
  holds: (value) => typeof value === 'boolean',
  compile(rules) {
    const mustBeTrue = rules['mustBeTrue'] === true
    return (value) => {
      if (typeof value !== 'boolean') return typeMismatch('boolean', value)
      return mustBeTrue && !value ? RULE_NOT_MET : null
    }
  },
}
