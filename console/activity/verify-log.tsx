import { Alert, Code, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../parts/counted.ts'
import { Id } from '../parts/id.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { Time } from '../parts/times/time.tsx'
import { type LogOf, type Verification, verify } from './activity-queries.ts'

interface VerifyLogProps {
  readonly tenantId: LogOf
  readonly onClose: () => void
}

/** Verifies a log and says what was found. */
export function VerifyLog({ tenantId, onClose }: VerifyLogProps) {
  const verification = useQuery({
    queryKey: ['verifyEvents', { tenantId }],
    queryFn: () => verify(tenantId),
    // Once for each opening: it takes a server seconds, and must not begin again when one comes back to the window.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>Verify the log</Text>} size="lg">
      <div aria-live="polite">
        {verification.isPending && (
          <Group gap="sm">
            <Loader size="sm" aria-hidden />
            <Text size="sm">Computing every hash again. A million events take about 10 seconds.</Text>
          </Group>
        )}
        {verification.isError && <Problem error={verification.error} retry={() => void verification.refetch()} />}
        {verification.data && <Result result={verification.data} />}
      </div>
    </Modal>
  )
}

function Result({ result: { verified, purged, erased, head, faults, faultCount } }: { readonly result: Verification }) {
  const isWhole = faultCount === 0
  return (
    <Stack>
      <Alert
        color={isWhole ? 'teal' : 'red'}
        icon={isWhole ? <IconShieldCheck /> : <IconShieldX />}
        title={isWhole ? 'The log is as it was sealed' : `${counted(faultCount, 'fault')} in the log`}
      >
        {counted(verified.events, 'event')} in {counted(verified.batches, 'batch', 'batches')} verified.
        {purged.events > 0 &&
          ` ${counted(purged.events, 'older event was', 'older events were')} deleted when their time was over.`}
        {erased > 0 && ` ${counted(erased, 'event has', 'events have')} lost what names an erased person.`}
      </Alert>
      {!isWhole && (
        <List size="sm" spacing="xs">
          {faults.map(({ batch, sequence, kind, problem }) => (
            <List.Item key={`${batch} ${sequence} ${kind}`}>
              <Code>{kind}</Code> batch {batch}
              {sequence !== undefined && `, event ${sequence}`}: {problem}
            </List.Item>
          ))}
        </List>
      )}
      {head === null ? (
        <Text size="sm">Nothing is sealed yet.</Text>
      ) : (
        <Stack gap={4}>
          <Text size="sm">
            Last batch: {head.batch.toLocaleString('en')}, sealed <Time at={head.sealedAt} />. Keep its hash outside of
            this server: it proves later that nothing before it was cut off.
          </Text>
          <Id value={head.hash} what="hash" />
        </Stack>
      )}
    </Stack>
  )
}
