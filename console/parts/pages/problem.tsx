import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from '../../../packages/client/src/errors.ts'
import { Copy } from '../copy.tsx'
import { useCountdown } from '../times/countdown.ts'

/** What went wrong, in the words of the server; in those of the console where there are none, or none for people. */
export function messageOf(error: unknown): string {
  if (error instanceof TenantryConnectionError) return 'The server did not answer. Check that it runs, then try again.'
  if (error instanceof TenantryAnswerError && error.status === 429)
    return 'A proxy refused the request: too many in a short time (status 429). Wait a minute, then try again.'
  if (error instanceof TenantryAnswerError)
    return `A proxy answered in place of the server, with status ${error.status}. Check the proxy, then try again.`
  // The server's message leads a program to the member with the reasons. People see them at the fields, or in a list.
  if (error instanceof TenantryError && error.validation !== undefined) return 'The server refused some values.'
  return error instanceof Error ? error.message : String(error)
}

interface ProblemProps {
  readonly error: unknown
  /** Reads or saves again. */
  readonly retry?: () => void
  /** Names the refused values, too; where there is a form, they are at its fields. */
  readonly namesValues?: true
  /** An act has failed: the page scrolls to the message, which may be far from the act. */
  readonly ofAct?: true
}

/** A refusal or a failure: the server's message, its code and the request id. Stays until the next attempt. */
export function Problem({ error, retry, namesValues, ofAct }: ProblemProps) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ofAct && error !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [ofAct, error])
  const seconds = useCountdown(error instanceof TenantryError ? error.retryAfter : undefined)
  return (
    <Alert
      ref={alert}
      color="red"
      icon={<IconAlertTriangle />}
      role="alert"
      variant="light"
      classNames={{ root: 'problem' }}
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {messageOf(error)}
          {seconds > 0 && ` Possible again in ${seconds} s.`}
        </Text>
        {namesValues && error instanceof TenantryError && error.validation !== undefined && (
          <List size="sm">
            {Object.entries(error.validation).map(([name, message]) => (
              <List.Item key={name}>
                <Code>{name}</Code> {message}
              </List.Item>
            ))}
          </List>
        )}
        {error instanceof TenantryError && (
          <Group gap="xs">
            <Code>{error.code}</Code>
            <Text size="xs" c="dimmed" ff="monospace">
              {error.requestId}
            </Text>
            <Copy value={`${error.code} ${error.requestId}`} what="code and request id" />
          </Group>
        )}
        {retry !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={retry} disabled={seconds > 0}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
