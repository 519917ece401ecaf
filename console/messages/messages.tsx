import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconMailOff, IconZoomCancel } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ManagedMessage } from '../../packages/client/src/admin.ts'
import { Address } from '../parts/address.tsx'
import { languageName } from '../parts/language-name.ts'
import { type Column, List } from '../parts/lists/list.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { channels, kindOf } from '../parts/messages/message-kinds.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { toast } from '../parts/pages/toast.ts'
import { serverNow } from '../parts/times/server-time.ts'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { deploymentQuery } from '../shell/deployment-query.ts'
import { MessageState, messageStates } from './message-state.tsx'
import { messagesQuery, useRetryMessage } from './messages-queries.ts'
import { QueueFigures } from './queue-figures.tsx'

const what: Column<ManagedMessage> = {
  header: 'Message',
  isName: true,
  cell: ({ recipient, kind, scope, deliveryMethod, lastError, locale }) => (
    <Stack gap={2} miw={0}>
      <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {recipient === '' ? 'Erased recipient' : <Address value={recipient} />}
      </Text>
      <Text span size="xs" c="dimmed">
        {[kindOf({ kind, scope }), channels[deliveryMethod], ...(locale === null ? [] : [languageName(locale)])].join(
          ' · ',
        )}
      </Text>
      {lastError !== null && (
        <Text span size="xs" c="var(--bad-text)" style={{ overflowWrap: 'anywhere' }} dir="auto">
          {lastError}
        </Text>
      )}
    </Stack>
  ),
}
const details: readonly Column<ManagedMessage>[] = [
  { header: 'Sender', width: 140, visibleFrom: 'md', cell: ({ sender }) => sender ?? '–' },
  { header: 'Created', width: 140, visibleFrom: 'sm', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The messages of a tenant, newest first. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/messages' })
  const { state, recipient, cursor } = useSearch({ from: '/signed-in/tenants/$tenantId/messages' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/messages' })
  const testingChannel = useQuery(deploymentQuery).data?.testingChannel
  const [limit] = usePageSize()
  const can = useCan()
  const retry = useRetryMessage(tenantId)
  const filter = { ...(isState(state) && { state }), ...(recipient !== undefined && { recipient }) }
  const query = useQuery({
    ...messagesQuery(tenantId, { ...filter, cursor, limit }),
    placeholderData: keepPreviousData,
  })
  const hasFilter = Object.keys(filter).length > 0
  const mayRetry = can('messages:write', tenantId)
  const progress: Column<ManagedMessage> = {
    header: 'State',
    width: 118,
    cell: (message) => (
      <Stack gap={4} align="flex-start">
        <Progress {...message} />
        {mayRetry && message.state === 'failed' && <Retry message={message} retry={retry} />}
      </Stack>
    ),
  }
  return (
    <Page
      title="Messages"
      about={
        <>
          Every code and notice, without its content. Messages are deleted some days after they expire.
          {testingChannel && ' Outside production nothing is sent: they go to the code inbox.'}
        </>
      }
    >
      <QueueFigures tenantId={tenantId} />
      <Stack>
        {retry.isError && <Problem error={retry.error} ofAct />}
        <List
          label="Messages"
          columns={[what, progress, ...details]}
          query={query}
          keyOf={({ id }) => id}
          cursor={cursor}
          onCursor={(next) => void navigate({ search: { state, recipient, cursor: next } })}
          tools={<MessageFilters />}
          search={{ what: 'message', by: filter }}
          empty={
            hasFilter ? (
              <NoMatch onShowAll={() => void navigate({ search: {} })} />
            ) : (
              <Empty title="Nothing was sent yet" Icon={IconMailOff}>
                Codes and security notices appear here when an application asks for them.
              </Empty>
            )
          }
        />
      </Stack>
    </Page>
  )
}

function MessageFilters() {
  const { state, recipient } = useSearch({ from: '/signed-in/tenants/$tenantId/messages' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/messages' })
  return (
    <Group gap="sm">
      <SearchBox
        label="Find an address or number"
        value={recipient}
        onSearch={(text) => void navigate({ search: { state, recipient: text }, replace: true })}
      />
      <NativeSelect
        aria-label="State"
        value={isState(state) ? state : ''}
        data={[
          { value: '', label: 'Every state' },
          ...Object.entries(messageStates).map(([value, { word }]) => ({ value, label: word })),
        ]}
        onChange={({ currentTarget }) =>
          void navigate({ search: { recipient, state: currentTarget.value || undefined }, replace: true })
        }
      />
    </Group>
  )
}

const NoMatch = ({ onShowAll }: { readonly onShowAll: () => void }) => (
  <Empty
    title="No message matches"
    Icon={IconZoomCancel}
    act={
      <Button variant="default" size="xs" onClick={onShowAll}>
        Show all messages
      </Button>
    }
  >
    Addresses and numbers are compared as a whole.
  </Empty>
)

interface RetryProps {
  readonly message: ManagedMessage
  readonly retry: ReturnType<typeof useRetryMessage>
}

/** Where a retry would be refused, there is no button. That a code was used meanwhile is not known here. */
function Retry({ message, retry }: RetryProps) {
  if (message.recipient === '') return null
  if (Date.parse(message.expiresAt) <= serverNow()) {
    return (
      <Text span size="xs" c="dimmed">
        expired <Time at={message.expiresAt} />
      </Text>
    )
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Retry the message to ${message.recipient}`}
      loading={retry.isPending && retry.variables.id === message.id}
      onClick={() => retry.mutate(message, { onSuccess: () => toast('The message is queued again') })}
    >
      Retry
    </Button>
  )
}

function Progress({ state, attempts, nextAttemptAt }: ManagedMessage) {
  return (
    <>
      <MessageState state={state} />
      {attempts > 1 && (
        <Text span size="xs" c="dimmed">
          {attempts} attempts
        </Text>
      )}
      {nextAttemptAt !== null && attempts > 0 && (
        <Text span size="xs" c="dimmed">
          next <Time at={nextAttemptAt} />
        </Text>
      )}
    </>
  )
}

const isState = (text: string | undefined): text is ManagedMessage['state'] =>
  text !== undefined && Object.hasOwn(messageStates, text)
