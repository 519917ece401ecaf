import type { CountryCode } from 'libphonenumber-js/min'
import { phoneNumbers } from '../../../contract/phone-number.ts'
import type { FieldKind } from '../field-kind.ts'
import { allowList } from '../rules.ts'
import { checkString, holdsString } from '../string-field.ts'

/**
 * A phone number in E.164: a plus and digits only, with a length that its country uses. Whether the number is assigned is
 * not checked: numbering plans change faster than libraries. `countries`: ISO 3166-1 alpha-2 codes; a number with a shared
 * calling code belongs to each of its countries that has numbers of its length.
 */
export const phone: FieldKind = {
  expects: 'string',
  takesOptions: false,
  rules: {
    countries: allowList(
      (item) => phoneNumbers().isSupportedCountry(item),
      'country codes such as FR',
      (item) => item,
    ),
  },
  holds: holdsString,
  compile(rules) {
    const { parsePhoneNumberFromString } = phoneNumbers()
    const countries = rules['countries'] && new Set(rules['countries'] as CountryCode[])
    return checkString(1, (value) => {
      if (!/^\+[1-9]\d{1,14}$/.test(value)) return false
      const number = parsePhoneNumberFromString(value, { extract: false })
      if (!number?.isPossible() || number.number !== value) return false
      if (!countries) return true
      return number.country
        ? countries.has(number.country)
        : number.getPossibleCountries().some((one) => countries.has(one))
    })
  },
}
