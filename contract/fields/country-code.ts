import { COUNTRY_CODE } from './generated/country-codes.ts'

/** Whether the text is a country code of ISO 3166-1 alpha-2, in upper case. */
export const isCountryCode = (text: string): boolean => COUNTRY_CODE.test(text)
