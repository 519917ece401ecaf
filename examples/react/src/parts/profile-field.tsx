import type { ProfileFormField } from '@tenantry/client/react'
import { useId } from 'react'
import { useLanguage } from '../language.tsx'

interface ProfileFieldProps {
  readonly field: ProfileFormField
  readonly onChange: (value: unknown) => void
}

/** A field of the profile schema, as the control that fits its type. */
export function ProfileField({ field, onChange }: ProfileFieldProps) {
  const { texts } = useLanguage()
  const id = useId()
  const { type, label, description, error, writable } = field
  const hint = [description, !writable && texts.readOnly, type === 'list' && texts.listHint].filter(Boolean).join(' ')
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const control = {
    id,
    disabled: !writable,
    'aria-describedby': described,
    'aria-invalid': error ? (true as const) : undefined,
  }
  const isGroup = type === 'multiselect'
  return (
    <div className={`field ${type}`}>
      {type === 'boolean' ? (
        <label htmlFor={id} className="check">
          <input
            {...control}
            type="checkbox"
            checked={field.value === true}
            onChange={({ target }) => onChange(target.checked)}
          />
          {label}
        </label>
      ) : isGroup ? (
        <Choices field={field} described={described} onChange={onChange} />
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          <Control field={field} control={control} onChange={onChange} />
        </>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date: 'date',
  time: 'time',
}

/** Everything with one label and one element. An empty input means null: the field is cleared. */
function Control({ field, control, onChange }: ProfileFieldProps & { control: object }) {
  const { texts } = useLanguage()
  const { type, value, placeholder, options, rules } = field
  const text = value === null || value === undefined ? '' : String(value)
  switch (type) {
    case 'multiline':
      return (
        <textarea
          {...control}
          rows={4}
          value={text}
          placeholder={placeholder}
          onChange={({ target }) => onChange(target.value || null)}
        />
      )
    case 'list':
      return (
        <textarea
          {...control}
          rows={3}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value.split('\n'))}
        />
      )
    case 'select':
      return (
        <select {...control} value={text} onChange={({ target }) => onChange(target.value || null)}>
          <option value="">{texts.choose}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )
    case 'number':
    case 'integer':
      return (
        <input
          {...control}
          type="number"
          inputMode={type === 'integer' ? 'numeric' : 'decimal'}
          step={Number(rules['step'] ?? (type === 'integer' ? 1 : 'any')) || 'any'}
          value={text}
          onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
        />
      )
    case 'datetime':
      return (
        <input
          {...control}
          type="datetime-local"
          value={toLocal(text)}
          onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).toISOString())}
        />
      )
    default:
      return (
        <input
          {...control}
          type={inputTypes[type] ?? 'text'}
          value={text}
          placeholder={placeholder}
          onChange={({ target }) => onChange(target.value || null)}
        />
      )
  }
}

function Choices({ field, described, onChange }: ProfileFieldProps & { described: string | undefined }) {
  const chosen: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <fieldset aria-describedby={described}>
      <legend className="label">{field.label}</legend>
      <div className="choices">
        {field.options.map(({ value, label }) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              disabled={!field.writable}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** An instant as `datetime-local` wants it: the user's own time, without a zone. */
function toLocal(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
