import { COUNTRY_CODES } from './generated/country-codes.ts'

let codes: ReadonlySet<string> | undefined

/** Whether the text is a country code of ISO 3166-1 alpha-2, in upper case. */
export function isCountryCode(text: string): boolean {
  codes ??= new Set(COUNTRY_CODES.split(' ').flatMap(([first, ...others]) => others.map((second) => first! + second)))
  return codes.has(text)
}
