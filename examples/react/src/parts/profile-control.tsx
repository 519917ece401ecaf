import type { ProfileFormField } from '@tenantry/client/react'
import { useLanguage } from '../language.tsx'
import type { Choice } from './codes.ts'
import type { ControlAttributes } from './field-control.ts'

export interface ControlProps {
  readonly field: ProfileFormField
  readonly control: ControlAttributes
  /** The values to choose from, with their labels. */
  readonly choices: readonly Choice[]
  readonly onChange: (value: unknown) => void
}

const inputTypes: Readonly<Record<string, string>> = {
  ...{ email: 'email', phone: 'tel', url: 'url' },
  ...{ date: 'date', time: 'time', month: 'month', week: 'week' },
}

/** Everything with one label and one element. An empty input means null: the field is cleared. */
export function Control({ field, control: attributes, choices, onChange }: ControlProps) {
  const { texts } = useLanguage()
  const control = { ...attributes, required: field.required }
  const { type, value, placeholder, rules } = field
  const text = value === null || value === undefined ? '' : String(value)
  if (type === 'multiline' || field.control === 'textarea') {
    return (
      <textarea
        {...control}
        rows={4}
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value || null)}
      />
    )
  }
  switch (type) {
    case 'list':
      return (
        <textarea
          {...control}
          rows={3}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value.split('\n'))}
          onBlur={() => Array.isArray(value) && value.some(isBlank) && onChange(withoutBlank(value))}
        />
      )
    case 'multiselect':
      return (
        <select
          {...control}
          multiple
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={({ target }) => onChange(Array.from(target.selectedOptions, (option) => option.value))}
        >
          <Options choices={choices} />
        </select>
      )
    case 'select':
    case 'country':
    case 'language':
    case 'currency':
    case 'timezone':
      return (
        <select {...control} value={text} onChange={({ target }) => onChange(target.value || null)}>
          <option value="">{texts.choose}</option>
          <Options choices={choices} />
        </select>
      )
    case 'number':
    case 'integer': {
      const step = Number(rules['step'] ?? (type === 'integer' ? 1 : 0)) || 'any'
      const number = {
        ...{ value: text, step, min: rules['min'] as number | undefined, max: rules['max'] as number | undefined },
        onChange: ({ target }: { target: HTMLInputElement }) =>
          onChange(target.value === '' ? null : target.valueAsNumber),
      }
      if (field.control === 'range') {
        return (
          <span className="range">
            {/* A slider always has a position, also before there is a value. */}
            <input {...attributes} {...number} type="range" value={text || number.min || 0} />
            <output htmlFor={control.id}>{text || '–'}</output>
          </span>
        )
      }
      return <input {...control} {...number} type="number" inputMode={type === 'integer' ? 'numeric' : 'decimal'} />
    }
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

export function Options({ choices }: { readonly choices: readonly Choice[] }) {
  return choices.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

/** People end the last line of a list with Enter, too. */
const isBlank = (line: string) => line.trim() === ''

function withoutBlank(lines: readonly string[]): readonly string[] | null {
  const entered = lines.filter((line) => !isBlank(line))
  return entered.length > 0 ? entered : null
}

/** An instant as `datetime-local` wants it: the user's own time, without a zone. */
function toLocal(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
