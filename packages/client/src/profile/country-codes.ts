import { isCountryCode } from '../../../../contract/fields/country-code.ts'

/** The values that fields of type `country` accept: the codes of ISO 3166-1 alpha-2. */
export function countryCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
}
