import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { pastedText } from '../../../contract/pasted-text.ts'
import type { SettingsForm } from './use-settings.ts'

interface LinesInputProps {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly value: readonly string[]
  readonly onChange: (lines: string[]) => void
  readonly disabled?: boolean
  readonly form: SettingsForm
  /** The path of the list, such as `security.allowedOrigins`. */
  readonly path: string
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(pastedText)
    .filter((line) => line !== '')

const linesAt = (path: string, modules: unknown): readonly string[] =>
  (path.split('.').reduce((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], modules) ??
    []) as readonly string[]

/** A list of texts, one a line, so that a whole list can be pasted. */
export function LinesInput({ value, onChange, form: { problems, sent }, path, ...props }: LinesInputProps) {
  const [typed, setTyped] = useState('')
  // Blank lines are kept while one types; a change from elsewhere replaces the text.
  const text = linesOf(typed).join('\n') === value.join('\n') ? typed : value.join('\n')
  // The lines as they were sent: some may have been removed since.
  const messages = linesAt(path, sent).flatMap((line, index) => {
    const message = problems[`${path}.${index}`]
    return message === undefined ? [] : [`${line}: ${message}`]
  })
  const error = [problems[path], ...messages].filter((message) => message !== undefined).join('. ')
  return (
    <Textarea
      {...props}
      // Browsers bring the line with the cursor into view, and leave the others outside.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      autoComplete="off"
      value={text}
      error={error === '' ? undefined : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(linesOf(currentTarget.value))
      }}
    />
  )
}
