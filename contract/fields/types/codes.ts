import { checkString, holdsString } from '../check-string.ts'
import { isCountryCode } from '../country-code.ts'
import type { FieldEngines, FieldType } from '../field-type.ts'

/** Longer language tags are refused: none that is used has so many characters. */
const LONGEST_TAG = 100

/** Whether a text is a language tag of BCP 47 in canonical form. */
export function isLanguageTag(text: string): boolean {
  try {
    return text.length <= LONGEST_TAG && Intl.getCanonicalLocales(text)[0] === text
  } catch {
    return false
  }
}

/** A code of a standard. `in`: the allowed codes. */
function codeType(format: string, isCode: (text: string, engines: FieldEngines) => boolean): FieldType {
  return {
    expects: 'string',
    holds: holdsString,
    compile(rules, _options, engines) {
      const codes = rules['in'] as string[] | undefined
      const allowed = codes && new Set(codes)
      return checkString(1, (value) => {
        if (allowed === undefined ? isCode(value, engines) : allowed.has(value)) return null
        return codes && isCode(value, engines) ? { rule: 'in', in: codes } : { rule: 'format', format }
      })
    },
  }
}

/** A country: ISO 3166-1 alpha-2, upper case. */
export const country: FieldType = codeType('country', isCountryCode)

/** A language: BCP 47 in canonical form, such as `pt-BR`. */
export const language: FieldType = codeType('language', isLanguageTag)

/** A currency in use: ISO 4217, upper case. A stored one stays valid after it is withdrawn. */
export const currency: FieldType = {
  ...codeType('currency', (text, { isCurrency }) => /^[A-Z]{3}$/.test(text) && isCurrency(text)),
  keepsStored: true,
}

/** A time zone: a name of the IANA database in its letter case, such as `Europe/Paris`; no offset. */
export const timezone: FieldType = codeType(
  'timezone',
  (text, { isTimeZone }) => /^[A-Z][A-Za-z0-9/_+-]{1,63}$/.test(text) && isTimeZone(text),
)
