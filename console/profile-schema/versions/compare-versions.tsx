import { Group, List, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../parts/pages/problem.tsx'
import { diffQuery, versionQuery } from '../schema-queries.ts'
import { Differences } from './differences.tsx'
import { documentChanges } from './document-changes.ts'

/** What changed between two versions, and what of it breaks apps or stored profiles. */
export function CompareVersions({
  tenantId,
  versions,
}: {
  readonly tenantId: string
  readonly versions: readonly string[]
}) {
  const [chosenFrom, setFrom] = useState('')
  const [chosenTo, setTo] = useState('')
  // One that was chosen on another page is neither offered nor in order with those of this one.
  const from = versions.includes(chosenFrom) ? chosenFrom : versions[1]!
  const to = versions.includes(chosenTo) ? chosenTo : versions[0]!
  // The list is newest first; migrations go forward only.
  const [older, newer] = versions.indexOf(from) > versions.indexOf(to) ? [from, to] : [to, from]
  const diff = useQuery({ ...diffQuery(tenantId, older, newer), enabled: older !== newer })
  const before = useQuery(versionQuery(tenantId, older))
  const after = useQuery(versionQuery(tenantId, newer))
  const isRead = before.data !== undefined && after.data !== undefined
  return (
    <Stack className="panel" p="md" gap="md">
      <Title order={2} fz="md">
        Compare two versions
      </Title>
      <Group gap="sm">
        <Select
          label="From"
          value={from}
          data={versions}
          onChange={(value) => value && setFrom(value)}
          searchable
          w={200}
        />
        <Select label="To" value={to} data={versions} onChange={(value) => value && setTo(value)} searchable w={200} />
      </Group>
      {[diff, before, after].map(({ error }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: always these three
        error === null ? null : <Problem key={index} error={error} />,
      )}
      {isRead && <Differences changes={documentChanges(before.data, after.data)} />}
      {diff.data !== undefined && diff.data.changes.length > 0 && (
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            What apps and users noticed
          </Text>
          <List size="sm" spacing={4}>
            {diff.data.changes.map(({ field, message, kind }) => (
              <List.Item key={`${field} ${kind} ${message}`}>
                <strong>{field}</strong>: {message}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
  )
}
