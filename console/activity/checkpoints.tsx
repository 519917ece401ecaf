import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Id } from '../parts/id.tsx'
import { type Column, List } from '../parts/lists/list.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Time } from '../parts/times/time.tsx'
import { type Checkpoint, checkpointsQuery, type LogOf } from './activity-queries.ts'
import { readCheckpointFile } from './checkpoint-file.ts'

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
  const [remembered] = usePageSize()
  const [limit, setLimit] = useState(remembered)
  const query = useQuery({ ...checkpointsQuery(tenantId, { cursor, limit }), placeholderData: keepPreviousData })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>Checkpoints</Text>} size="xl">
      <Stack>
        <Text size="sm">
          Each batch of events is signed, and its hash covers the batch before. Store hashes elsewhere: an export that
          is verified with them later cannot have been changed since.
        </Text>
        <Download tenantId={tenantId} />
        <List
          label="Checkpoints, newest first"
          columns={columns}
          query={query}
          keyOf={({ batch }) => `${batch}`}
          cursor={cursor}
          onCursor={setCursor}
          pageSize={[limit, setLimit]}
          empty={<Empty title="Nothing is sealed yet">The first event is sealed within a second.</Empty>}
        />
      </Stack>
    </Modal>
  )
}

/** Saves all checkpoints with the public keys, in a file with which exports are verified without the service. */
function Download({ tenantId }: Pick<CheckpointsProps, 'tenantId'>) {
  const [read, setRead] = useState(0)
  const [leaving] = useState(() => new AbortController())
  useEffect(() => () => leaving.abort(), [leaving])
  const download = useMutation({
    mutationFn: () => readCheckpointFile(tenantId, leaving.signal, setRead),
    onSuccess: (file) => saveFile(file, `checkpoints-${tenantId ?? 'deployment'}.ndjson`),
  })
  return (
    <>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download all
        </Button>
        {download.isPending && read > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {read.toLocaleString('en')} checkpoints read
          </Text>
        )}
      </Group>
      {download.isError && <Problem error={download.error} />}
    </>
  )
}
