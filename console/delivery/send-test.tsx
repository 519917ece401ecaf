import { Button, Group, TextInput } from '@mantine/core'
import { languageName } from '../parts/language-name.ts'
import { channelWords, messageKinds } from '../parts/messages/message-kinds.ts'
import { Problem } from '../parts/pages/problem.tsx'
import { Section } from '../parts/settings/section.tsx'
import type { TemplatePlace } from './own-templates.ts'
import { TestReport } from './test-report.tsx'
import { useTest } from './use-test.ts'

interface SendTestProps {
  readonly tenantId: string
  readonly place: TemplatePlace
  /** What is not saved is not sent. */
  readonly isChanged: boolean
}

/** Sends the chosen message with a sample code, and tells how each sender fared. */
export function SendTest({ tenantId, place, isChanged }: SendTestProps) {
  const { kind, channel, language } = place
  const { send, isPending, report, field, isReady, problem } = useTest(tenantId, channel, place)
  return (
    <Section
      title="Send a test"
      about={`“${messageKinds[kind]}” by ${channelWords[channel]}, in ${languageName(language)}, with a code that opens nothing. Every sender is tried.${isChanged ? ' What is not saved is not part of it.' : ''}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label={channel === 'email' ? 'Send the test to this address' : 'Send the test to this number'}
            {...field}
            flex="1 1 220px"
            maw={340}
          />
          <Button type="submit" variant="default" loading={isPending} disabled={!isReady}>
            Send the test
          </Button>
        </Group>
      </form>
      {problem !== null && <Problem error={problem} namesValues />}
      {report && <TestReport report={report} tenantId={tenantId} />}
    </Section>
  )
}
