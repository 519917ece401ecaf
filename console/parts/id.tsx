import { Group, Text } from '@mantine/core'
import { Copy } from './copy.tsx'

/** An id in monospace. In lists it may be cut off by the column; elsewhere it is whole and has a button to copy it. */
export function Id({
  value,
  what = 'id',
  inList,
}: {
  readonly value: string
  readonly what?: string
  readonly inList?: true
}) {
  const text = (
    <Text
      span
      ff="monospace"
      fz="xs"
      c="dimmed"
      truncate={inList ? 'end' : undefined}
      // In a list it takes the width that is left, and asks for none.
      style={inList ? { display: 'block', width: 0, minWidth: '100%' } : { overflowWrap: 'anywhere' }}
    >
      {value}
    </Text>
  )
  if (inList) return text
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {text}
      <Copy value={value} what={what} />
    </Group>
  )
}
