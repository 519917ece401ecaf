import type { ProfileFormField } from '../../packages/client/src/react/profile-fields.ts'
import { isCodeType } from '../parts/profile-field/choices.tsx'
import { nameCodes } from '../parts/profile-field/codes.ts'

type Shown = Pick<ProfileFormField, 'type' | 'value' | 'options'>

/** Whether there is something to show. */
export const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** A value as a text for people; "–" for none. */
export function shownValue({ type, value, options }: Shown, locale: string): string {
  if (!hasValue(value) || value == null) return '–'
  const labelOf = (one: unknown): string => options.find((option) => option.value === one)?.label ?? String(one)
  if (Array.isArray(value)) return value.map(labelOf).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (type === 'consent') return consentText(value as Consent, locale)
  if (typeof value === 'object')
    return Object.values(value)
      .filter(Boolean)
      .join(type === 'name' ? ' ' : ', ')
  if (isCodeType(type)) return nameCodes(type, [String(value)], locale)[0]?.label ?? String(value)
  // A value of an earlier version of the schema may not be a time.
  if (type === 'datetime' && !Number.isNaN(Date.parse(String(value))))
    return new Date(String(value)).toLocaleString(locale)
  return labelOf(value)
}

interface Consent {
  readonly accepted?: boolean
  readonly version?: string
  readonly at?: string
}

const consentText = ({ accepted, version, at }: Consent, locale: string): string =>
  [
    accepted === true ? 'Accepted' : 'Declined',
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(at === undefined ? [] : [new Date(at).toLocaleDateString(locale)]),
  ].join(', ')
