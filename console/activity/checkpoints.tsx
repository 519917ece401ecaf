import { Modal, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Id } from '../parts/id.tsx'
import { type Column, List } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { type Checkpoint, checkpointsQuery, type LogOf } from './activity-queries.ts'

const columns: readonly Column<Checkpoint>[] = [
  { header: 'Batch', width: 80, cell: ({ batch }) => batch.toLocaleString('en') },
  { header: 'Hash', cell: ({ hash }) => <Id value={hash} what="hash" /> },
  {
    header: 'Events',
    width: 100,
    visibleFrom: 'sm',
    cell: ({ firstSequence, count }) =>
      count === 1 ? `${firstSequence}` : `${firstSequence}–${firstSequence + count - 1}`,
  },
  { header: 'Sealed', width: 150, visibleFrom: 'sm', cell: ({ sealedAt }) => <Time at={sealedAt} /> },
]

interface CheckpointsProps {
  readonly tenantId: LogOf
  readonly onClose: () => void
}

/** The signed batches of a log. */
export function Checkpoints({ tenantId, onClose }: CheckpointsProps) {
  const [cursor, setCursor] = useState<string>()
  const query = useQuery({ ...checkpointsQuery(tenantId, { cursor, limit: 50 }), placeholderData: keepPreviousData })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>Checkpoints</Text>} size="xl">
      <Stack>
        <Text size="sm">
          Each batch of events is signed, and its hash covers the batch before. Store hashes elsewhere: an export that
          is verified with them later cannot have been changed since.
        </Text>
        <List
          label="Checkpoints, newest first"
          columns={columns}
          query={query}
          keyOf={({ batch }) => `${batch}`}
          cursor={cursor}
          onCursor={setCursor}
          empty={<Empty title="Nothing is sealed yet">The first event is sealed within a second.</Empty>}
        />
      </Stack>
    </Modal>
  )
}
