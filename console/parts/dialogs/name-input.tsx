import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { anyScript } from '../any-script.ts'

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
    {...anyScript}
    required
    withAsterisk={false}
    data-autofocus
  />
)
