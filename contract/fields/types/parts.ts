import { isCountryCode } from '../country-code.ts'
import { type FieldDetail, notMet, wrongCharacters, wrongType } from '../field-problem.ts'
import { type FieldType, numberOr, type RuleValues } from '../field-type.ts'
import type { JsonValue } from '../json-value.ts'
import { isRecord, ownValue } from '../profile-values.ts'
import { isLongerThan, isSoundText } from '../sound-text.ts'

/** The parts of a name. */
export const NAME_PARTS = ['given', 'middle', 'family', 'prefix', 'suffix', 'nativeScript'] as const
/** The parts of an address. */
export const ADDRESS_PARTS = ['line1', 'line2', 'line3', 'city', 'region', 'postalCode', 'country'] as const

/** The default of `maxLength` of a name, in code points of each part. */
export const NAME_PART_LENGTH = 100
const ADDRESS_PART_LENGTH = 200

/** The parts that a component has, and those of them that must be set. */
export function partsOf(rules: RuleValues, known: readonly string[]): { shown: string[]; required: string[] } {
  const parts = (rules['parts'] ?? known) as readonly string[]
  const required = (rules['requiredParts'] ?? []) as string[]
  return { shown: known.filter((part) => parts.includes(part)), required }
}

/**
 * An object of texts. Parts that the component does not have are dropped, whatever their value, and so is `""`; an object
 * without parts clears the field.
 */
function partsType(
  known: readonly string[],
  compileParts: (rules: RuleValues) => {
    maxLength: number
    violated?: (parts: Readonly<Record<string, JsonValue>>) => FieldDetail | null
  },
): FieldType {
  return {
    expects: 'object',
    holds: (value) =>
      isRecord(value) && Object.keys(value).every((part) => known.includes(part) && typeof value[part] === 'string'),
    compile(rules) {
      const { shown, required } = partsOf(rules, known)
      const { maxLength, violated } = compileParts(rules)
      return (value) => {
        if (!isRecord(value)) return wrongType('object', value)
        for (const part of shown) {
          const text = ownValue(value, part)
          if (text === undefined) continue
          if (typeof text !== 'string') return wrongType('string', text)
          if (!isSoundText(text)) return wrongCharacters
          if (isLongerThan(text, maxLength)) return notMet({ rule: 'maxLength', maxLength, part })
        }
        const missing = required.filter((part) => !ownValue(value, part))
        if (missing.length > 0) return notMet({ rule: 'requiredParts', parts: missing })
        const detail = violated?.(value) ?? null
        return detail === null ? null : notMet(detail)
      }
    },
    compileNormalisation(rules) {
      const { shown } = partsOf(rules, known)
      return (value) => {
        const sent = value as Readonly<Record<string, string>>
        const parts = shown.filter((part) => ownValue(sent, part)).map((part) => [part, sent[part]!])
        return parts.length === 0 ? null : Object.fromEntries(parts)
      }
    },
  }
}

/** The name of a person. Rules: `parts`, `requiredParts`, `maxLength` of each part. */
export const name: FieldType = partsType(NAME_PARTS, (rules) => ({
  maxLength: numberOr(rules, 'maxLength', NAME_PART_LENGTH),
}))

/** A postal address, whose `country` is a value of type `country`. Rules: `parts`, `requiredParts`, `countries`. */
export const address: FieldType = partsType(ADDRESS_PARTS, (rules) => {
  const countries = rules['countries'] as string[] | undefined
  const hasCountry = partsOf(rules, ADDRESS_PARTS).shown.includes('country')
  return {
    maxLength: ADDRESS_PART_LENGTH,
    violated(parts) {
      const country = hasCountry ? ownValue(parts, 'country') : undefined
      if (typeof country !== 'string' || country === '' || countries?.includes(country)) return null
      if (!isCountryCode(country)) return { rule: 'format', format: 'country' }
      return countries ? { rule: 'countries', countries } : null
    },
  }
})
