import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface NameInputProps {
  readonly description?: string
  readonly value: string
  readonly onChange: (name: string) => void
  readonly error: ReactNode
}

/** The name of what a dialog makes or changes, in any script. Gets the first focus. */
export const NameInput = ({ onChange, ...props }: NameInputProps) => (
  <TextInput
    label="Name"
    {...props}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    autoComplete="off"
    dir="auto"
    required
    withAsterisk={false}
    data-autofocus
  />
)
