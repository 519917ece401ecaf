import type { RuleValues } from '../../../../contract/fields/field-type.ts'
import { ITEM_TYPES, listLimits } from '../../../../contract/fields/types/list.ts'
import { MAX_MATCHED_LENGTH } from '../../../../contract/fields/types/written-text.ts'
import type { FieldKind } from '../field-kind.ts'
import { patternRule } from '../pattern.ts'
import { crossedBounds, flag, given, lowerBound, type Rule, upperBound, wholeNumber } from '../rules.ts'

/** Every e-mail address, phone number and date is a text of a list, but not every URL, because of its length. */
const items: Rule = {
  refuse: (value) =>
    typeof value === 'string' && ITEM_TYPES.includes(value)
      ? null
      : `must be one of ${ITEM_TYPES.join(', ')}; ${given(value)}`,
  narrows: (before = 'text', after = 'text') => after !== before && (after !== 'text' || before === 'url'),
}

/** Judging a phone number takes 15 µs. */
const MOST_PHONES = 100

/** The rules of items that are free texts. */
const TEXT_RULES = ['itemMinLength', 'itemMaxLength', 'pattern']

export const list: FieldKind = {
  takesOptions: false,
  rules: {
    minItems: lowerBound(wholeNumber(0, 1000), 0),
    maxItems: upperBound(wholeNumber(1, 1000), 100),
    itemMinLength: lowerBound(wholeNumber(0, MAX_MATCHED_LENGTH), 1),
    itemMaxLength: upperBound(wholeNumber(1, MAX_MATCHED_LENGTH), 256),
    pattern: patternRule,
    unique: flag,
    items,
  },
  contradictions(rules) {
    const { minItems, maxItems, itemMinLength, itemMaxLength } = listLimits(rules)
    return {
      ...unfitTextRules(rules),
      ...tooManyPhones(rules),
      ...crossedBounds(['minItems', minItems], ['maxItems', maxItems]),
      ...crossedBounds(['itemMinLength', itemMinLength], ['itemMaxLength', itemMaxLength]),
    }
  },
  matchedCharacters(rules) {
    const { maxItems, itemMaxLength } = listLimits(rules)
    return maxItems * itemMaxLength
  },
}

function unfitTextRules(rules: RuleValues): Record<string, string> {
  const { items = 'text' } = rules
  if (items === 'text') return {}
  const unfit = TEXT_RULES.filter((name) => rules[name] !== undefined)
  return Object.fromEntries(unfit.map((name) => [name, `items of type ${items} do not have it; remove it`]))
}

function tooManyPhones(rules: RuleValues): Record<string, string> {
  if (rules['items'] !== 'phone' || listLimits(rules).maxItems <= MOST_PHONES) return {}
  return { maxItems: `above ${MOST_PHONES}, the limit for lists of phone numbers; lower it` }
}
