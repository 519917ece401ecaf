import { isCountryCode } from '../../../../contract/fields/country-code.ts'
import type { RuleValues } from '../../../../contract/fields/field-type.ts'
import { ADDRESS_PARTS, NAME_PART_LENGTH, NAME_PARTS, partsOf } from '../../../../contract/fields/types/parts.ts'
import type { FieldKind } from '../field-kind.ts'
import { allowList, type Rule, upperBound, wholeNumber } from '../rules.ts'

export const name: FieldKind = {
  takesOptions: false,
  rules: { ...partRules(NAME_PARTS), maxLength: upperBound(wholeNumber(1, 1000), NAME_PART_LENGTH) },
  contradictions: (rules) => absentParts(rules, NAME_PARTS),
}

export const address: FieldKind = {
  takesOptions: false,
  rules: {
    ...partRules(ADDRESS_PARTS),
    countries: allowList(isCountryCode, 'country codes such as FR'),
  },
  contradictions(rules) {
    const absent = absentParts(rules, ADDRESS_PARTS)
    if (rules['countries'] === undefined || partsOf(rules, ADDRESS_PARTS).shown.includes('country')) return absent
    return { ...absent, countries: 'the address has no part country; add it to parts or remove the rule' }
  },
}

function partRules(known: readonly string[]): Record<'parts' | 'requiredParts', Rule> {
  const { refuse, narrows } = allowList((part) => known.includes(part), `parts, which are ${known.join(', ')}`)
  return {
    // Without the rule, the field has all parts.
    parts: { refuse, narrows: (before = known, after = known) => narrows(before, after) },
    // A part more narrows.
    requiredParts: { refuse, narrows: (before = [], after = []) => narrows(after, before) },
  }
}

function absentParts(rules: RuleValues, known: readonly string[]): Record<string, string> {
  const { shown, required } = partsOf(rules, known)
  const absent = required.find((part) => !shown.includes(part))
  return absent === undefined
    ? {}
    : { requiredParts: `"${absent}" is not one of the parts; add it to parts or remove it from requiredParts` }
}
