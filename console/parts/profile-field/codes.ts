import { countryCodes } from '../../../packages/client/src/profile/country-codes.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Offered where the schema does not say which languages. */
const languages = 'ar de en es fr hi it ja ko nl pl pt pt-BR ru tr vi zh'.split(' ')

const allCodes: Readonly<Record<string, () => readonly string[]>> = {
  country: countryCodes,
  language: () => languages,
  currency: () => Intl.supportedValuesOf('currency'),
  timezone: () => Intl.supportedValuesOf('timeZone'),
}

const named = new Map<string, readonly Choice[]>()

/** All codes of a type with their names, in the order of the language. */
export function codeChoices(type: string, language: string): readonly Choice[] {
  const key = `${type} ${language}`
  const known = named.get(key) ?? nameCodes(type, allCodes[type]?.() ?? [], language)
  named.set(key, known)
  return known
}

/** Codes with their names, in the order of the language. */
export function nameCodes(type: string, codes: readonly string[], language: string): readonly Choice[] {
  const name = nameOf(type, language)
  const { compare } = new Intl.Collator(language)
  return codes.map((value) => ({ value, label: name(value) })).toSorted((one, other) => compare(one.label, other.label))
}

function nameOf(type: string, language: string): (code: string) => string {
  if (type === 'timezone') return (code) => code.replaceAll('_', ' ')
  const names = new Intl.DisplayNames(language, { type: type === 'country' ? 'region' : (type as 'currency') })
  return (code) => {
    try {
      return names.of(code) ?? code
    } catch {
      // A code that was typed into a schema and is not one.
      return code
    }
  }
}
