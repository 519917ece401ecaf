import { countryCodes } from '@tenantry/client/profile'
import type { ProfileFormField } from '@tenantry/client/react'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Offered where the tenant does not say which languages. */
const someLanguages = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'hi',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ru',
  'tr',
  'vi',
  'zh',
]

const allCodes: Readonly<Record<string, () => readonly string[]>> = {
  country: countryCodes,
  language: () => someLanguages,
  currency: () => Intl.supportedValuesOf('currency'),
  timezone: () => Intl.supportedValuesOf('timeZone'),
}

/** The choices of a field whose values are codes, with their names in the language of the page; undefined for other fields. */
export function codeChoices({ type, rules, value }: ProfileFormField, language: string): readonly Choice[] | undefined {
  if (!Object.hasOwn(allCodes, type)) return undefined
  const codes = (rules['in'] as readonly string[] | undefined) ?? allCodes[type]!()
  // A stored code can be one that is no longer offered.
  const all = typeof value === 'string' && !codes.includes(value) ? [value, ...codes] : codes
  return namedCodes(type, all, language)
}

/** Codes with their names, in the order of the language. */
export function namedCodes(type: string, codes: readonly string[], language: string): readonly Choice[] {
  const kind = type === 'country' ? 'region' : type
  const names = kind === 'timezone' ? undefined : new Intl.DisplayNames(language, { type: kind as 'region' })
  const { compare } = new Intl.Collator(language)
  return codes
    .map((value) => ({ value, label: names?.of(value) ?? value.replaceAll('_', ' ') }))
    .toSorted((one, other) => compare(one.label, other.label))
}
