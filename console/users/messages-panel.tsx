import { Anchor, Group, Skeleton, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { MessageState } from '../messages/message-state.tsx'
import { channels, kindOf } from '../parts/messages/message-kinds.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { Time } from '../parts/times/time.tsx'
import { Panel } from './panel.tsx'
import { Row, Rows } from './rows.tsx'
import { messagesToQuery } from './users-queries.ts'

interface MessagesPanelProps {
  readonly tenantId: string
  readonly user: ManagedUser
}

/** The latest messages to the user's addresses. */
export function MessagesPanel({ tenantId, user }: MessagesPanelProps) {
  const recipients = [user.email, user.phone].filter((address) => address !== null)
  const { data, error, isPending, refetch } = useQuery(messagesToQuery(tenantId, recipients))
  const isSlow = useIsSlow(isPending)
  return (
    <Panel
      title="Messages"
      isFlush
      actions={
        recipients.length > 0 && (
          <Group gap="sm">
            {recipients.map((recipient) => (
              <Anchor
                key={recipient}
                size="sm"
                renderRoot={(props) => (
                  <Link {...props} to="/tenants/$tenantId/messages" params={{ tenantId }} search={{ recipient }} />
                )}
              >
                {recipients.length === 1 ? 'All messages' : recipient === user.email ? 'All e-mail' : 'All SMS'}
              </Anchor>
            ))}
          </Group>
        )
      }
    >
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {isSlow && <Skeleton height={40} m="md" />}
      {data?.length === 0 && (
        <Empty title="No messages" isSmall Icon={IconMailOff}>
          Codes and notices to this user appear here, and are deleted some days after they expire.
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <Rows label="Latest messages">
          {data.map((message) => (
            <Row key={message.id} act={<MessageState state={message.state} />}>
              <Text fw={600} size="sm">
                {kindOf(message)}
              </Text>
              <Text size="xs" c="dimmed">
                {channels[message.deliveryMethod]} · <Time at={message.createdAt} />
              </Text>
              {message.lastError !== null && (
                <Text size="xs" c="var(--bad-text)" dir="auto">
                  {message.lastError}
                </Text>
              )}
            </Row>
          ))}
        </Rows>
      )}
    </Panel>
  )
}
