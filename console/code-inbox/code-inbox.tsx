import { Button, Group, Kbd, Text } from '@mantine/core'
import { IconInbox, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useDeferredValue, useState } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { Empty } from '../parts/empty.tsx'
import { useLetterKeys } from '../parts/letter-keys.ts'
import { Page } from '../parts/page.tsx'
import { PanelSkeleton } from '../parts/panel-skeleton.tsx'
import { Problem } from '../parts/problem.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { useIsSlow } from '../parts/slow.ts'
import { ConnectionState } from '../parts/stream/connection-state.tsx'
import type { Connection } from '../parts/stream/follow-stream.ts'
import { useCan, useOperator } from '../session/session.tsx'
import { TenantSelect } from '../tenants/tenant-select.tsx'
import { ClearInbox } from './clear-inbox.tsx'
import classes from './code-inbox.module.css'
import { filterByRecipient } from './filter-by-recipient.ts'
import { inboxKeys } from './inbox-keys.ts'
import { InboxMessage } from './inbox-message.tsx'
import { NoInbox } from './no-inbox.tsx'
import { useInbox } from './use-inbox.ts'

/** The codes of a deployment outside production, as they are made. */
export function Screen(): ReactNode {
  const search = useSearch({ from: '/signed-in/code-inbox' })
  const navigate = useNavigate({ from: '/code-inbox' })
  const own = useOperator()?.tenantIds ?? null
  // Operators of some tenants read the inbox of one at a time.
  const tenantId = search.tenantId ?? own?.[0]
  const { state, dispatch, connection, reconnect } = useInbox(tenantId)
  const recipient = useDeferredValue(search.recipient)
  const shown = filterByRecipient(state.items, recipient)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => setOpened((ids) => toggled(ids, id)), [])
  const can = useCan()
  const showsTenant = tenantId === undefined

  const isSlow = useIsSlow(connection === 'connecting' && state.items.length === 0)

  useLetterKeys(inboxKeys)

  if (isAbsent(connection)) return <NoInbox />
  return (
    <Page
      title="Code inbox"
      about="Outside production nothing is sent. Every code arrives here, the moment it is made."
      state={<ConnectionState connection={connection} isPaused={state.isPaused} />}
      actions={
        <>
          {can('messages:write', tenantId) && (
            <ClearInbox
              tenantId={tenantId}
              onCleared={() =>
                dispatch({ type: 'removed', stays: (one) => tenantId !== undefined && one.tenantId !== tenantId })
              }
            />
          )}
          <Button
            variant="default"
            leftSection={state.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={() => dispatch({ type: state.isPaused ? 'resumed' : 'paused' })}
          >
            {state.isPaused ? 'Continue' : 'Pause'}
          </Button>
        </>
      }
    >
      <Group mb="md" gap="sm">
        <SearchBox
          label="Filter by recipient"
          placeholder="Address or number"
          value={search.recipient}
          onSearch={(text) => void navigate({ search: { ...search, recipient: text }, replace: true })}
        />
        {(can('tenants:read') || own !== null) && (
          <TenantSelect
            label="Tenant"
            placeholder="All tenants"
            value={tenantId}
            isClearable={own === null}
            onChange={(id) => void navigate({ search: { ...search, tenantId: id }, replace: true })}
          />
        )}
      </Group>
      {typeof connection === 'object' && <Problem error={connection.error} retry={reconnect} />}
      {state.held.length > 0 && (
        <Button variant="light" fullWidth mb="xs" onClick={() => dispatch({ type: 'resumed' })}>
          {state.held.length === 1 ? '1 message arrived' : `${state.held.length} messages arrived`} meanwhile: show
        </Button>
      )}
      {isSlow && (
        <div className={classes['messages']} aria-busy>
          {[1, 2, 3, 4].map((one) => (
            <PanelSkeleton key={one} lines={1} />
          ))}
        </div>
      )}
      {shown.length > 0 ? (
        <>
          <ul className={classes['messages']} aria-label="Messages, newest first">
            {shown.map((message) => (
              <InboxMessage
                key={message.id}
                message={message}
                isOpen={opened.has(message.id)}
                onToggle={toggle}
                showsTenant={showsTenant}
              />
            ))}
          </ul>
          <Text size="xs" c="dimmed" mt="sm" visibleFrom="sm">
            <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move, <Kbd size="xs">Enter</Kbd> shows the text,{' '}
            <Kbd size="xs">c</Kbd> copies the code.
          </Text>
        </>
      ) : (
        connection === 'live' && (
          <div className="panel">
            {state.items.length > 0 ? (
              <Empty title={`No message to “${recipient}”`} Icon={IconInbox}>
                Recipients are compared anywhere in their address, among the latest 500 messages.
              </Empty>
            ) : (
              <Empty title="No codes yet" Icon={IconInbox}>
                Start a password reset or a sign-in with a code, and it appears here.
              </Empty>
            )}
          </div>
        )
      )}
    </Page>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** In production the operation does not exist. */
const isAbsent = (connection: Connection): boolean =>
  typeof connection === 'object' && connection.error instanceof TenantryError && connection.error.code === 'NOT_FOUND'
