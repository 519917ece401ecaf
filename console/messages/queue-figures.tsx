import { Alert, Anchor, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channels } from '../parts/messages/message-kinds.ts'
import { LabelledValue } from '../parts/pages/labelled-value.tsx'
import { Time } from '../parts/times/time.tsx'
import { messageStatisticsQuery } from './messages-queries.ts'

/** What waits, what failed today, and the senders that are skipped. */
export function QueueFigures({ tenantId }: { readonly tenantId: string }) {
  const { data } = useQuery(messageStatisticsQuery(tenantId))
  const broken = data?.senders.filter(({ state }) => state === 'broken') ?? []
  const waiting = data && data.queued + data.sending
  return (
    <Stack mb="md">
      <Group gap="xl" align="flex-start" className="panel figures" px="md" py="sm" component="dl" m={0}>
        <LabelledValue name="Waiting">
          {waiting ?? '–'}
          {data?.oldestQueuedAt && (
            <Text span c="dimmed" size="sm" fw={400}>
              {' '}
              the oldest queued <Time at={data.oldestQueuedAt} />
            </Text>
          )}
        </LabelledValue>
        <LabelledValue name="Failed in 24 hours">
          {data === undefined ? (
            '–'
          ) : data.failed24h === 0 ? (
            0
          ) : (
            <Anchor
              fw={650}
              renderRoot={(props) => (
                <Link {...props} to="/tenants/$tenantId/messages" params={{ tenantId }} search={{ state: 'failed' }} />
              )}
            >
              {data.failed24h}
            </Anchor>
          )}
        </LabelledValue>
      </Group>
      {broken.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} variant="light" title="Senders that fail" role="status">
          <List size="sm" spacing={4}>
            {broken.map(({ method, name, until, lastError }) => (
              <List.Item key={`${method} ${name}`} style={{ overflowWrap: 'anywhere' }}>
                <b>{name}</b> ({channels[method]}): {lastError}
                {until !== null && (
                  <>
                    {' '}
                    Tried again <Time at={until} />.
                  </>
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
