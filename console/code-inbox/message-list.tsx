import { Kbd, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import classes from './code-inbox.module.css'
import { InboxMessage } from './inbox-message.tsx'
import type { TestingChannelMessage } from './testing-channel-message.ts'

interface MessageListProps {
  /** Newest first. */
  readonly messages: readonly TestingChannelMessage[]
  readonly showsTenant: boolean
}

/** Remembers which messages are open, also while they are not listed. */
export function MessageList({ messages, showsTenant }: MessageListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => setOpened((ids) => toggled(ids, id)), [])
  if (messages.length === 0) return null
  return (
    <>
      <ul className={classes['messages']} aria-label="Messages, newest first">
        {messages.map((message) => (
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
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
