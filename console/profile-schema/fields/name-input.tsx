import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useEditor } from '../editor-context.ts'

interface NameInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly name: string
  /** By `namePlace`. */
  readonly place: string
  /** What is wrong with a name; undefined for one that can be used. */
  readonly problemOf: (typed: string) => string | undefined
  readonly onRename: (name: string) => void
}

/**
 * A name that others refer to, such as forms to a field: it changes when typing ends, and only to one that can be used. The
 * editor keeps one that cannot, also while the input is not shown.
 */
export function NameInput({ name, place, problemOf, onRename, error, ...input }: NameInputProps) {
  const { unusable, edit } = useEditor()
  /** A name that can be used, until typing ends. */
  const [next, setNext] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name that changed otherwise, such as by Undo, replaces it
  useEffect(() => setNext(undefined), [name])
  const kept = unusable[place]
  const typed = kept ?? next ?? name
  const problem = problemOf(typed)
  function type(text: string): void {
    const isUsable = text === name || problemOf(text) === undefined
    setNext(isUsable ? text : undefined)
    keep(isUsable ? undefined : text)
  }
  function keep(text: string | undefined): void {
    if (text !== kept) edit({ do: 'keepUnusable', place, typed: text })
  }
  function rename(): void {
    if (problem !== undefined || typed === name) return
    keep(undefined)
    onRename(typed)
  }
  return (
    <TextInput
      {...input}
      value={typed}
      error={typed === name ? (error ?? problem) : problem}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && rename()}
      spellCheck={false}
      autoComplete="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}
