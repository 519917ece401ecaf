import { notMet, wrongType } from '../field-problem.ts'
import type { FieldType } from '../field-type.ts'

/** `mustBeTrue` accepts only true, for example for terms of service. */
export const boolean: FieldType = {
  expects: 'boolean',
  holds: (value) => typeof value === 'boolean',
  compile(rules) {
    const mustBeTrue = rules['mustBeTrue'] === true
    return (value) => {
      if (typeof value !== 'boolean') return wrongType('boolean', value)
      return mustBeTrue && !value ? notMet({ rule: 'mustBeTrue' }) : null
    }
  },
}
