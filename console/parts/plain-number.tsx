import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { isExactNumber } from './exact-number.ts'

interface PlainNumberProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: number | string | undefined
  /** Gets undefined for an empty field, and what is typed as a text when it is not a number. */
  readonly onChange: (value: number | string | undefined) => void
}

/**
 * A number as it is typed: `-0` and `1.` are the beginnings of `-0.5` and `1.5`, which their numbers 0 and 1 are not. No
 * character is dropped, as `1,5` would become 15, and no digit rounded; the server refuses what is not a number.
 */
export function PlainNumber({ value, onChange, ...props }: PlainNumberProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      value={numberOf(typed) === value ? typed : String(value ?? '')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(numberOf(currentTarget.value))
      }}
    />
  )
}

/** undefined for a blank text, and the text when it is not a number, or one that would be rounded. */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return isExactNumber(text) ? Number(text) : text
}
