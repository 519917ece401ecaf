import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { scriptOf } from '../any-script.ts'
import { isoToLocal, localToIso } from '../times/local-time.ts'
import type { ControlProps } from './control-props.ts'

const inputTypes: Readonly<Record<string, string>> = {
  ...{ email: 'email', phone: 'tel', url: 'url' },
  ...{ date: 'date', time: 'time', month: 'month', week: 'week', datetime: 'datetime-local' },
}

/** Without an end, browsers let years have six digits. */
const latest: Readonly<Record<string, string>> = {
  ...{ date: '9999-12-31', month: '9999-12', week: '9999-W52', datetime: '9999-12-31T23:59' },
}

/** What is typed: texts, addresses, dates and lists. An empty input clears the field. */
export function WrittenField({ field, input, onChange }: ControlProps) {
  const { type, value } = field
  const placeholder = field.placeholder === undefined ? {} : { placeholder: field.placeholder }
  if (type === 'list') {
    const items = Array.isArray(value) ? value.map(String) : []
    const change = (texts: string[]) => onChange(texts.length === 0 ? null : texts)
    return (
      <TagsInput
        {...input}
        {...placeholder}
        value={items}
        onChange={change}
        // A comma is part of an item; a pasted text has one on each line. Whether items may be equal, the server says.
        splitChars={['\n']}
        allowDuplicates
        comboboxProps={{ withinPortal: false }}
      />
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
      {...(type === 'datetime' && { description: sayTimeZone(input.description) })}
      {...scriptOf(text)}
      type={inputTypes[type] ?? 'text'}
      max={latest[type]}
      value={type === 'datetime' && isTime(text) ? isoToLocal(text) : text}
      onChange={({ currentTarget }) => onChange(readInput(type, currentTarget.value))}
    />
  )
}

function readInput(type: string, text: string): string | null {
  if (text === '') return null
  return type === 'datetime' ? localToIso(text) : text
}

/** The user may have entered it in another one. */
const sayTimeZone = (description = ''): string => `${description} In your time zone.`.trim()

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))
