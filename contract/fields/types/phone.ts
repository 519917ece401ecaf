import { checkString, holdsString } from '../check-string.ts'
import type { FieldType } from '../field-type.ts'

/** E.164: a plus and digits only, not starting with zero. */
const E164 = /^\+[1-9]\d{1,14}$/

/**
 * A phone number in E.164 with a length that its country uses. Whether the number is assigned is not checked: numbering
 * plans change faster than libraries. `countries`: ISO 3166-1 alpha-2 codes.
 */
export const phone: FieldType = {
  expects: 'string',
  holds: holdsString,
  compile(rules, _options, engines) {
    const countries = rules['countries'] as string[] | undefined
    const isPhone = engines.compilePhone(undefined)
    const isOfCountries = engines.compilePhone(countries)
    return checkString(1, (value) => {
      if (E164.test(value) && isOfCountries(value)) return null
      return countries && E164.test(value) && isPhone(value)
        ? { rule: 'countries', countries }
        : { rule: 'format', format: 'phone' }
    })
  },
}
