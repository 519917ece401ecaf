import { countryCodes } from '@tenantry/client/profile'
import { useLanguage } from '../language.tsx'
import { namedCodes } from './codes.ts'
import { type ControlProps, Options } from './profile-control.tsx'

/** The parts of a value, with the `autocomplete` token by which browsers fill them in. */
const autocomplete: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  name: {
    ...{ prefix: 'honorific-prefix', given: 'given-name', middle: 'additional-name', family: 'family-name' },
    ...{ suffix: 'honorific-suffix', nativeScript: 'off' },
  },
  address: {
    ...{ line1: 'address-line1', line2: 'address-line2', line3: 'address-line3', postalCode: 'postal-code' },
    ...{ city: 'address-level2', region: 'address-level1', country: 'country' },
  },
}

/** Whether values of this type have parts. */
export const isParts = (type: string): boolean => Object.hasOwn(autocomplete, type)

/** A name or an address: one input for each part that the tenant wants. */
export function Parts({ field, control, onChange }: ControlProps) {
  const { texts, language } = useLanguage()
  const tokens = autocomplete[field.type] ?? {}
  const wanted = field.rules['parts'] as readonly string[] | undefined
  const required = (field.rules['requiredParts'] as readonly string[] | undefined) ?? []
  const values = (field.value ?? {}) as Readonly<Record<string, string>>
  const change = (part: string, text: string) => {
    const next = { ...values, [part]: text }
    const filled = Object.entries(next).filter(([, value]) => value !== '')
    onChange(filled.length === 0 ? null : Object.fromEntries(filled))
  }
  const countries = (field.rules['countries'] as readonly string[] | undefined) ?? countryCodes()
  return (
    <div className="parts">
      {Object.keys(tokens)
        .filter((part) => wanted?.includes(part) ?? true)
        .map((part) => {
          const id = `${control.id}-${part}`
          const input = {
            ...{ id, disabled: !field.writable, autoComplete: tokens[part], value: values[part] ?? '' },
            'aria-required': required.includes(part) || undefined,
            'aria-invalid': (control['aria-invalid'] && isConcerned(part)) || undefined,
            onChange: ({ target }: { target: HTMLInputElement | HTMLSelectElement }) => change(part, target.value),
          }
          return (
            <div key={part} className="field">
              <label htmlFor={id} data-required={required.includes(part)}>
                {texts.parts[part]}
              </label>
              {part === 'country' ? (
                <select {...input}>
                  <option value="">{texts.choose}</option>
                  <Options choices={namedCodes('country', countries, language)} />
                </select>
              ) : (
                <input {...input} lang={part === 'nativeScript' ? '' : undefined} />
              )}
            </div>
          )
        })}
    </div>
  )

  /** Whether the error of the field is about this part. */
  function isConcerned(part: string): boolean {
    const detail = field.errorDetails
    if (detail?.rule === 'requiredParts') return detail.parts.includes(part)
    if (detail?.rule === 'maxLength' && detail.part !== undefined) return detail.part === part
    return detail?.rule !== 'countries' || part === 'country'
  }
}
