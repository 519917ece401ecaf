import { checkStringArray, holdsStrings } from '../check-string-array.ts'
import { type FieldType, numberOr, type RuleValues } from '../field-type.ts'
import { isLongerThan, isShorterThan } from '../sound-text.ts'
import { email } from './email.ts'
import { date } from './moments.ts'
import { phone } from './phone.ts'
import { url } from './url.ts'

/** The types that items may have besides text. */
const itemTypes: Readonly<Record<string, FieldType>> = { email, phone, url, date }
/** The values of the rule `items`. */
export const ITEM_TYPES: readonly string[] = ['text', ...Object.keys(itemTypes)]

/** The limits of a list; those that its rules do not set have defaults. */
export interface ListLimits {
  readonly minItems: number
  readonly maxItems: number
  readonly itemMinLength: number
  readonly itemMaxLength: number
  readonly unique: boolean
}

export function listLimits(rules: RuleValues): ListLimits {
  return {
    minItems: numberOr(rules, 'minItems', 0),
    maxItems: numberOr(rules, 'maxItems', 100),
    itemMinLength: numberOr(rules, 'itemMinLength', 1),
    itemMaxLength: numberOr(rules, 'itemMaxLength', 256),
    unique: rules['unique'] === true,
  }
}

/** Strings in order: by default 0 to 100 items, free texts of 1 to 256 code points. `items`: the type of each item. */
export const list: FieldType = {
  expects: 'array',
  holds: holdsStrings,
  compile(rules, _options, engines) {
    const limits = listLimits(rules)
    const items = (rules['items'] ?? 'text') as string
    if (items !== 'text') {
      const check = itemTypes[items]!.compile({}, [], engines)
      return checkStringArray(limits, (item) => (check(item, 0) === null ? null : { rule: 'items', items }))
    }
    const pattern = rules['pattern'] as string | undefined
    const matches = pattern === undefined ? undefined : engines.compilePattern(pattern)
    return checkStringArray(limits, (item) => {
      const { itemMinLength, itemMaxLength } = limits
      if (isShorterThan(item, itemMinLength)) return { rule: 'itemMinLength', itemMinLength }
      if (isLongerThan(item, itemMaxLength)) return { rule: 'itemMaxLength', itemMaxLength }
      return matches === undefined || matches(item) ? null : { rule: 'pattern' }
    })
  },
}
