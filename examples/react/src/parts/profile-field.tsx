import type { ProfileFormField } from '@tenantry/client/react'
import { useId } from 'react'
import { useLanguage } from '../language.tsx'
import { messageOf } from '../rule-texts.ts'
import { codeChoices } from './codes.ts'
import { Consent } from './consent.tsx'
import { isParts, Parts } from './parts.tsx'
import { Checkboxes, Radios, Stars } from './profile-choices.tsx'
import { Control } from './profile-control.tsx'
import { useAvailability } from './use-availability.ts'

interface ProfileFieldProps {
  readonly field: ProfileFormField
  readonly onChange: (value: unknown) => void
}

/** A field of the profile schema, as the control that the tenant wants or that fits its type. */
export function ProfileField({ field, onChange }: ProfileFieldProps) {
  const { texts, language } = useLanguage()
  const id = useId()
  const availability = useAvailability(field)
  const { type, label, description, writable, required } = field
  if (field.control === 'hidden') return null
  const error = field.error === undefined ? undefined : messageOf(field, language)
  const isTaken = error === undefined && availability === 'taken'
  const hint = [type !== 'consent' && description, !writable && texts.readOnly, type === 'list' && texts.listHint]
  const shown = hint.filter(Boolean).join(' ')
  const described = [shown && `${id}-hint`, error && `${id}-error`, availability && !error && `${id}-availability`]
  const control = {
    id,
    disabled: !writable,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': error || isTaken ? (true as const) : undefined,
  }
  const shape = shapeOf(field)
  const choices = codeChoices(field, language) ?? field.options
  const props = { field, control, choices, onChange }
  return (
    <div className={`field ${type} ${shape}`}>
      {shape === 'check' ? (
        <label htmlFor={id} className="check">
          <input
            {...control}
            type="checkbox"
            role={field.control === 'switch' ? 'switch' : undefined}
            checked={field.value === true}
            onChange={({ target }) => onChange(target.checked)}
          />
          {label}
        </label>
      ) : shape === 'consent' ? (
        <Consent {...props} />
      ) : shape === 'group' ? (
        <fieldset aria-describedby={control['aria-describedby']}>
          <legend className="label" data-required={required}>
            {label}
          </legend>
          {isParts(type) && <Parts {...props} />}
          {type === 'multiselect' && <Checkboxes {...props} />}
          {field.control === 'radio' && <Radios {...props} />}
          {field.control === 'stars' && <Stars {...props} />}
        </fieldset>
      ) : (
        <>
          <label htmlFor={id} data-required={required}>
            {label}
          </label>
          <Control {...props} />
        </>
      )}
      {shown && (
        <p id={`${id}-hint`} className="hint">
          {shown}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {field.unique && (
        <div id={`${id}-availability`} role="status" className={isTaken ? 'live field-error' : 'live hint'}>
          {isTaken && messageOf({ ...field, errorDetails: { rule: 'unique' } }, language)}
          {error === undefined && availability === 'free' && texts.available}
        </div>
      )}
    </div>
  )
}

/** One box, the answer to a text, several elements with one legend, or one element with a label. */
function shapeOf({ type, control }: ProfileFormField): 'check' | 'consent' | 'group' | 'single' {
  if (type === 'consent') return 'consent'
  if (type === 'boolean' && control !== 'radio') return 'check'
  if (control === 'radio' || control === 'stars' || isParts(type)) return 'group'
  return type === 'multiselect' && control !== 'dropdown' ? 'group' : 'single'
}
