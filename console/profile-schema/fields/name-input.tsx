import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useEditor } from '../editor-context.ts'

interface NameInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly name: string
  /** What is wrong with a name; undefined for one that can be used. */
  readonly problemOf: (typed: string) => string | undefined
  readonly onRename: (name: string) => void
}

/** A name that others refer to, such as forms to a field: it changes when typing ends, and only to one that can be used. */
export function NameInput({ name, problemOf, onRename, error, ...input }: NameInputProps) {
  const [typed, setTyped] = useState(name)
  useEffect(() => setTyped(name), [name])
  const problem = problemOf(typed)
  const { holdBack } = useEditor()
  const isUnusable = typed !== name && problem !== undefined
  useEffect(() => (isUnusable ? holdBack() : undefined), [isUnusable, holdBack])
  const rename = () => problem === undefined && typed !== name && onRename(typed)
  return (
    <TextInput
      {...input}
      value={typed}
      error={typed === name ? (error ?? problem) : problem}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && rename()}
      spellCheck={false}
      autoComplete="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}
