import { Alert, Group, List, Text } from '@mantine/core'
import type { TestMessageReport } from '../../packages/client/src/admin.ts'
import { State } from '../parts/state.tsx'
import { InboxLink } from './inbox-link.tsx'

interface TestReportProps {
  readonly report: TestMessageReport
  readonly tenantId: string
}

/** What each sender did with a test message. */
export function TestReport({ report: { delivered, problem, attempts }, tenantId }: TestReportProps) {
  if (attempts.length === 0)
    return (
      <Alert color={delivered ? 'teal' : 'red'} variant="light" role="status">
        {delivered ? (
          <>
            It is in the <InboxLink tenantId={tenantId} />: outside production nothing is sent.
          </>
        ) : (
          problem
        )}
      </Alert>
    )
  return (
    <div role="status">
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
    </div>
  )
}
