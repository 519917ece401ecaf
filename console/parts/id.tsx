import { Group, Text } from '@mantine/core'
import { Copy } from './copy.tsx'

/** Takes the width that is left, and asks for none. */
const cutAtBeginning = { display: 'block', width: 0, minWidth: '100%', direction: 'rtl', textAlign: 'left' } as const

/**
 * An id in monospace. In lists the column may cut off its beginning, which ids of one time share; elsewhere it is whole and
 * has a button to copy it.
 */
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
      style={inList ? cutAtBeginning : { overflowWrap: 'anywhere' }}
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
