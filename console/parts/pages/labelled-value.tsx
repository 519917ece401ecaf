import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A name above its value, within a `dl`. A dash stands for what is not known yet. */
export function LabelledValue({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {children ?? '–'}
      </Text>
    </div>
  )
}
