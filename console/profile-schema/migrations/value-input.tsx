import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

interface ValueInputProps<Value> extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: Value
  /** The value as a text, where it was not typed here. */
  readonly text: string
  readonly read: (typed: string) => Value
  readonly onChange: (value: Value) => void
}

/** A value as it is typed: `1.0` and `true ` are the beginnings of `1.05` and `true story`, which their values are not. */
export function ValueInput<Value>({ value, text, read, onChange, ...props }: ValueInputProps<Value>) {
  const [typed, setTyped] = useState<string>()
  const isTyped = typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(value)
  return (
    <TextInput
      {...props}
      size="xs"
      spellCheck={false}
      value={isTyped ? typed : text}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(read(currentTarget.value))
      }}
    />
  )
}
