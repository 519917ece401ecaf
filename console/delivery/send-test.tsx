import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { TestMessageReport } from '../../packages/client/src/admin.ts'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { channels, messageKinds } from '../parts/message-kinds.ts'
import { Problem } from '../parts/problem.tsx'
import { Section } from '../parts/settings/section.tsx'
import { State } from '../parts/state.tsx'
import { sendTest } from './delivery-queries.ts'
import type { TemplatePlace } from './own-templates.ts'

interface SendTestProps {
  readonly tenantId: string
  readonly place: TemplatePlace
  /** What is not saved is not sent. */
  readonly isChanged: boolean
}

/** Sends the chosen message with a sample code, and tells how each sender fared. */
export function SendTest({ tenantId, place: { kind, channel, language }, isChanged }: SendTestProps) {
  const [to, setTo] = useState('')
  const sending = useMutation({
    mutationFn: () => sendTest(tenantId, { kind, method: channel, to, locale: language }),
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    sending.mutate()
  }
  const errors = fieldErrorsOf(sending.error)
  return (
    <Section
      title="Send a test"
      about={`“${messageKinds[kind]}” by ${channels[channel]}, in ${language}, with a code that opens nothing. Every sender is tried.${isChanged ? ' What is not saved is not part of it.' : ''}`}
    >
      <form onSubmit={submit}>
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label={channel === 'email' ? 'Send the test to this address' : 'Send the test to this number'}
            placeholder={channel === 'email' ? 'you@example.com' : '+33612345678'}
            type={channel === 'email' ? 'email' : 'tel'}
            value={to}
            error={errors['to']}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            flex="1 1 220px"
            maw={340}
          />
          <Button type="submit" variant="default" loading={sending.isPending} disabled={to.trim() === ''}>
            Send the test
          </Button>
        </Group>
      </form>
      {sending.isError && Object.keys(errors).length === 0 && <Problem error={sending.error} />}
      {sending.data && <Report report={sending.data} />}
    </Section>
  )
}

function Report({ report: { delivered, problem, attempts } }: { readonly report: TestMessageReport }) {
  if (attempts.length === 0) {
    return (
      <Alert color={delivered ? 'teal' : 'red'} variant="light" role="status">
        {delivered ? 'It is in the code inbox: outside production nothing is sent.' : problem}
      </Alert>
    )
  }
  return (
    <Stack role="status" gap="xs">
      <List listStyleType="none" spacing="xs" size="sm">
        {attempts.map(({ sender, problem: why }) => (
          <List.Item key={sender}>
            <Group gap="xs" align="baseline">
              <bdi>{sender}</bdi>
              <State tone={why === null ? 'good' : 'bad'}>{why === null ? 'Accepted' : 'Failed'}</State>
              {why !== null && (
                <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {why}
                </Text>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
