import { createRequire } from 'node:module'
import type * as LibPhoneNumber from 'libphonenumber-js/max'
import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { globalRanges, type SpecialNumberType } from '../../contract/tenants/sms-destinations.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

const require = createRequire(import.meta.url)
let library: typeof LibPhoneNumber | undefined

/** Only the complete metadata has every number type. It is loaded with the first SMS, because many processes send none. */
function parse(phone: string): LibPhoneNumber.PhoneNumber | undefined {
  library ??= require('libphonenumber-js/max') as typeof LibPhoneNumber
  return library.parsePhoneNumberFromString(phone)
}

const specialTypes: ReadonlyMap<LibPhoneNumber.NumberType, SpecialNumberType> = new Map([
  ['PREMIUM_RATE', 'premium'],
  ['SHARED_COST', 'shared-cost'],
  ['UAN', 'uan'],
  ['PERSONAL_NUMBER', 'personal'],
  ['VOICEMAIL', 'voicemail'],
])

const shortestNumber = '+123456'.length

/** The type of the number or of its longest valid prefix, because some networks ignore extra digits. */
function typeOf(phone: string): LibPhoneNumber.NumberType {
  for (let digits = phone; digits.length >= shortestNumber; digits = digits.slice(0, -1)) {
    const type = parse(digits)?.getType()
    if (type !== undefined) return type
  }
  return undefined
}

const countryNotAllowed = 'SMS to this country are not allowed'
const typeNotAllowed = 'SMS to this type of number are not allowed'

/**
 * Why a tenant does not allow messages to a recipient; null when it does. Without `delivery.smsCountries`, every country
 * is allowed. Global ranges and special types of numbers must be listed, because SMS fraud profits from them.
 *
 * @param recipient in E.164 for SMS; e-mail is always allowed
 */
export function destinationProblem(
  method: DeliveryMethod,
  recipient: string,
  { configuration }: Pick<TenantSnapshot, 'configuration'>,
): string | null {
  if (method === 'email') return null
  const allowed: readonly string[] | undefined = configuration.delivery.smsCountries
  const number = parse(recipient)
  if (number === undefined) return countryNotAllowed

  const range = `+${number.countryCallingCode}`
  if ((globalRanges as readonly string[]).includes(range)) return allowed?.includes(range) ? null : typeNotAllowed

  // Some numbers belong to several countries with the same country code.
  const countries = number.country === undefined ? number.getPossibleCountries() : [number.country]
  const type = specialTypes.get(typeOf(recipient))
  if (type !== undefined) {
    return countries.some((country) => allowed?.includes(`${type}:${country}`)) ? null : typeNotAllowed
  }
  return allowed === undefined || countries.some((country) => allowed.includes(country)) ? null : countryNotAllowed
}
