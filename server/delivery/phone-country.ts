import { phoneNumbers } from '../../contract/phone-number.ts'

/** Countries an E.164 number may belong to (ISO 3166-1 alpha-2); neighbours that share a code cannot always be told apart. */
export function countriesOf(phone: string): readonly string[] {
  const parsed = phoneNumbers().parsePhoneNumberFromString(phone)
  if (parsed === undefined) return []
  return parsed.country === undefined ? parsed.getPossibleCountries() : [parsed.country]
}
