import { Code, Text } from '@mantine/core'
import { IconInboxOff } from '@tabler/icons-react'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'

/** Why production has no inbox. */
export function NoInbox() {
  return (
    <Page title="Code inbox">
      <div className="panel">
        <Empty title="Production has no code inbox" Icon={IconInboxOff}>
          <Text size="sm" mb="xs">
            Here, codes go to their recipients, and no one else can read them. Whether a message was sent is on the
            screen Messages of its tenant; who sends it is on the screen Delivery.
          </Text>
          To try sign-in with codes, run a deployment with <Code>TENANTRY_ENVIRONMENT=staging</Code>.
        </Empty>
      </div>
    </Page>
  )
}
