import { checkString, holdsString } from '../check-string.ts'
import { checkStringArray, holdsStrings } from '../check-string-array.ts'
import { type FieldOption, type FieldType, numberOr, type RuleValues } from '../field-type.ts'

const valuesOf = (options: readonly FieldOption[]) => new Set(options.map((option) => option.value))

/** The most options that may be chosen. */
export function mostItems(rules: RuleValues, options: readonly FieldOption[]): number {
  return Math.min(numberOr(rules, 'maxItems', options.length), options.length)
}

/** One of the options, by its value. */
export const select: FieldType = {
  expects: 'string',
  holds: holdsString,
  compile(_rules, options) {
    const values = valuesOf(options)
    return checkString(1, (value) => (values.has(value) ? null : { rule: 'options', options: [...values] }))
  },
}

/** Any of the options, each at most once; may be empty unless `minItems` is set. */
export const multiselect: FieldType = {
  expects: 'array',
  holds: holdsStrings,
  compile(rules, options) {
    const values = valuesOf(options)
    const limits = { minItems: numberOr(rules, 'minItems', 0), maxItems: mostItems(rules, options), unique: true }
    return checkStringArray(limits, (item) => (values.has(item) ? null : { rule: 'options', options: [...values] }))
  },
}
