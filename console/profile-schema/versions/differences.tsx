import { List, Text } from '@mantine/core'
import { State } from '../../parts/state.tsx'
import type { DocumentChange } from './document-changes.ts'

const tones = { added: 'good', removed: 'bad', changed: 'info' } as const

/** Changes of a document, one line each. */
export function Differences({ changes }: { readonly changes: readonly DocumentChange[] }) {
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Fields, sections and forms are the same.
      </Text>
    )
  }
  return (
    <List size="sm" spacing={6} listStyleType="none" withPadding={false}>
      {changes.map(({ kind, what, name, members }) => (
        <List.Item key={`${what} ${name}`} style={{ overflowWrap: 'anywhere' }}>
          <State tone={tones[kind]}>{kind}</State> {what} <strong>{name}</strong>
          {members.length > 0 && `: ${members.join(', ')}`}
        </List.Item>
      ))}
    </List>
  )
}
