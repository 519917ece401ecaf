import type { FieldKind } from '../field-kind.ts'
import { checkString, holdsString } from '../string-field.ts'

/** One of the options, by its value. */
export const select: FieldKind = {
  expects: 'string',
  takesOptions: true,
  rules: {},
  holds: holdsString,
  compile(_rules, options) {
    const values = new Set(options.map((option) => option.value))
    return checkString(1, (value) => values.has(value))
  },
}
