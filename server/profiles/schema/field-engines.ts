import type { CountryCode } from 'libphonenumber-js/min'
import type { FieldEngines } from '../../../contract/fields/field-type.ts'
import { phoneNumbers } from '../../../contract/phone-number.ts'
import { compilePattern } from './pattern.ts'
import { compileStored } from './stored-checks.ts'
import { isTimeZone } from './time-zones.ts'

let currencies: ReadonlySet<string> | undefined

/**
 * The server's engines: RE2, the numbering plans of all countries, and ICU. Clients leave to them what they cannot decide.
 */
export const fieldEngines: FieldEngines = {
  compilePattern,

  /** A number with a shared calling code belongs to each of its countries that has numbers of its length. */
  compilePhone(countries) {
    const { parsePhoneNumberFromString } = phoneNumbers()
    const allowed = countries && new Set(countries as CountryCode[])
    return (e164) => {
      const number = parsePhoneNumberFromString(e164, { extract: false })
      if (!number?.isPossible() || number.number !== e164) return false
      if (!allowed) return true
      return number.country
        ? allowed.has(number.country)
        : number.getPossibleCountries().some((one) => allowed.has(one))
    }
  },

  isCurrency(code) {
    currencies ??= new Set(Intl.supportedValuesOf('currency'))
    return currencies.has(code)
  },

  isTimeZone,

  compileStored: (type, rules, options) => compileStored(type, rules, options, fieldEngines),
}
