import { orderedTypes, typesOfControl, typesOfFlag } from '../../../contract/profile-schema/field-access.ts'
import type { ProfileComponent } from '../../../packages/client/src/admin.ts'
import type { ComponentControl, DraftField, FieldTypeName } from '../draft.ts'

/** How a rule is entered. */
export type RuleInput =
  | 'whole'
  | 'number'
  | 'flag'
  | 'text'
  | 'pattern'
  | 'moment'
  | 'domains'
  | 'countries'
  | 'codes'
  | 'parts'
  | 'items'

type RulesOf<T extends FieldTypeName> = NonNullable<Extract<ProfileComponent, { type: T }>['rules']>

/** The rules of all types. */
export type RuleName = { [T in FieldTypeName]: keyof RulesOf<T> }[FieldTypeName]

/** The JSON type of a field's values. */
type Values = 'text' | 'number' | 'boolean' | 'list' | 'object'

interface FieldKind<T extends FieldTypeName> {
  readonly label: string
  readonly group: 'Text' | 'Number' | 'Choice' | 'Date and time' | 'Place and language' | 'Person'
  readonly values: Values
  /** Every rule that the contract has for the type: a missing or additional one does not compile. */
  readonly rules: { readonly [Rule in keyof Required<RulesOf<T>>]: RuleInput }
}

const lengths = { minLength: 'whole', maxLength: 'whole', pattern: 'pattern' } as const
const numbers = { min: 'number', max: 'number', step: 'number' } as const
const bounds = { min: 'moment', max: 'moment' } as const
const text = { group: 'Text', values: 'text' } as const
const moment = { group: 'Date and time', values: 'text', rules: bounds } as const
const code = { group: 'Place and language', values: 'text', rules: { in: 'codes' } } as const

/** What the editor knows of each field type. */
export const fieldKinds: { readonly [T in FieldTypeName]: FieldKind<T> } = {
  text: { ...text, label: 'Text', rules: lengths },
  multiline: { ...text, label: 'Long text', rules: lengths },
  email: { ...text, label: 'E-mail address', rules: { domains: 'domains' } },
  phone: { ...text, label: 'Phone number', rules: { countries: 'countries' } },
  url: { ...text, label: 'Web address', rules: { domains: 'domains' } },
  number: { label: 'Number', group: 'Number', values: 'number', rules: numbers },
  integer: { label: 'Whole number', group: 'Number', values: 'number', rules: numbers },
  boolean: { label: 'Yes or no', group: 'Choice', values: 'boolean', rules: { mustBeTrue: 'flag' } },
  select: { label: 'Single choice', group: 'Choice', values: 'text', rules: {} },
  multiselect: {
    label: 'Multiple choice',
    group: 'Choice',
    values: 'list',
    rules: { minItems: 'whole', maxItems: 'whole' },
  },
  consent: { label: 'Consent', group: 'Choice', values: 'object', rules: { version: 'text', mustBeTrue: 'flag' } },
  list: {
    label: 'List',
    group: 'Text',
    values: 'list',
    rules: {
      ...({ items: 'items', minItems: 'whole', maxItems: 'whole' } as const),
      ...({ itemMinLength: 'whole', itemMaxLength: 'whole', pattern: 'pattern', unique: 'flag' } as const),
    },
  },
  date: { ...moment, label: 'Date', rules: { ...bounds, minAge: 'whole', maxAge: 'whole' } },
  datetime: { ...moment, label: 'Date and time' },
  time: { ...moment, label: 'Time of day' },
  month: { ...moment, label: 'Month' },
  week: { ...moment, label: 'Week' },
  country: { ...code, label: 'Country' },
  language: { ...code, label: 'Language' },
  currency: { ...code, label: 'Currency' },
  timezone: { ...code, label: 'Time zone' },
  name: {
    label: 'Name of a person',
    group: 'Person',
    values: 'object',
    rules: { parts: 'parts', requiredParts: 'parts', maxLength: 'whole' },
  },
  address: {
    label: 'Postal address',
    group: 'Person',
    values: 'object',
    rules: { parts: 'parts', requiredParts: 'parts', countries: 'countries' },
  },
}

export const fieldTypes = Object.keys(fieldKinds) as FieldTypeName[]

/** The rules of a type by name. */
export const rulesOf = (type: FieldTypeName): Readonly<Record<string, RuleInput>> => fieldKinds[type].rules

export const takesOptions = (type: FieldTypeName): boolean => type === 'select' || type === 'multiselect'

export const takesPlaceholder = (type: FieldTypeName): boolean =>
  !['boolean', 'consent', 'name', 'address'].includes(type)

export const controlsOf = (type: FieldTypeName): ComponentControl[] =>
  (Object.keys(typesOfControl) as ComponentControl[]).filter((control) => typesOfControl[control].includes(type))

export type Flag = 'unique' | 'searchable' | 'claim'

export const takesFlag = (type: FieldTypeName, flag: Flag): boolean => typesOfFlag[flag]!.includes(type)

/** Whether conditions can compare values of the type by `min` and `max`. */
export const isOrdered = (type: FieldTypeName): boolean => orderedTypes.includes(type)

/** Whether conditions can read a field of the type. */
export const isComparable = ({ type }: Pick<DraftField, 'type'>): boolean => type !== 'name' && type !== 'address'
