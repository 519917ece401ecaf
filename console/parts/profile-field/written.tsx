import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { scriptOf } from '../any-script.ts'
import type { ControlProps } from './profile-field.tsx'

const inputTypes: Readonly<Record<string, string>> = {
  ...{ email: 'email', phone: 'tel', url: 'url' },
  ...{ date: 'date', time: 'time', month: 'month', week: 'week', datetime: 'datetime-local' },
}

/** What is typed: texts, addresses, dates and lists. An empty input clears the field. */
export function WrittenField({ field, input, onChange }: ControlProps) {
  const { type, value } = field
  const placeholder = field.placeholder === undefined ? {} : { placeholder: field.placeholder }
  if (type === 'list') {
    const items = Array.isArray(value) ? value.map(String) : []
    const change = (texts: string[]) => onChange(texts.length === 0 ? null : texts)
    return (
      <TagsInput {...input} {...placeholder} value={items} onChange={change} comboboxProps={{ withinPortal: false }} />
    )
  }
  const text = value === null || value === undefined ? '' : String(value)
  if (type === 'multiline' || field.control === 'textarea') {
    return (
      <Textarea
        {...input}
        {...placeholder}
        {...scriptOf(text)}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    )
  }
  return (
    <TextInput
      {...input}
      {...placeholder}
      {...scriptOf(text)}
      type={inputTypes[type] ?? 'text'}
      value={type === 'datetime' ? toLocal(text) : text}
      onChange={({ currentTarget }) => onChange(readInput(type, currentTarget.value))}
    />
  )
}

function readInput(type: string, text: string): string | null {
  if (text === '') return null
  return type === 'datetime' ? new Date(text).toISOString() : text
}

/** An instant in the time of this browser, without a zone: what `datetime-local` shows. */
function toLocal(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
