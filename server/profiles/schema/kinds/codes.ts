import { isCountryCode } from '../../../../contract/fields/country-code.ts'
import { isLanguageTag, timezone as timezoneType } from '../../../../contract/fields/types/codes.ts'
import { fieldEngines } from '../field-engines.ts'
import type { FieldKind } from '../field-kind.ts'
import { allowList } from '../rules.ts'

/** As many as options, and more than there are codes of any of these kinds. */
const MAX_CODES = 500

export const country: FieldKind = codeKind(isCountryCode, 'country codes such as FR')

export const language: FieldKind = codeKind(isLanguageTag, 'canonical language tags such as pt-BR')

export const currency: FieldKind = codeKind(fieldEngines.isCurrency, 'currency codes such as EUR')

/** Judged as a value of the type: platforms take offsets such as `+02:00` for time zones, too. */
const checkZone = timezoneType.compile({}, [], fieldEngines)

export const timezone: FieldKind = codeKind(
  (text) => checkZone(text, 0) === null,
  'time zones such as Europe/Paris, without offsets',
)

function codeKind(isCode: (text: string) => boolean, what: string): FieldKind {
  return { takesOptions: false, rules: { in: allowList(isCode, what, { most: MAX_CODES }) } }
}
