import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconListCheck, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { exportPath, type LogOf } from './activity-queries.ts'
import { Checkpoints } from './checkpoints.tsx'
import { VerifyLog } from './verify-log.tsx'

/** Export, verification and checkpoints of a log. */
export function LogTools({ tenantId }: { readonly tenantId: LogOf }) {
  const [shown, setShown] = useState<'verify' | 'checkpoints' | null>(null)
  const close = () => setShown(null)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Evidence
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component="a"
            href={exportPath(tenantId)}
            download={`events-${tenantId ?? 'deployment'}.ndjson`}
            leftSection={<IconDownload size={16} />}
          >
            Export all events
          </Menu.Item>
          <Menu.Item leftSection={<IconListCheck size={16} />} onClick={() => setShown('checkpoints')}>
            Checkpoints…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button leftSection={<IconShieldCheck size={16} />} onClick={() => setShown('verify')}>
        Verify
      </Button>
      {shown === 'verify' && <VerifyLog tenantId={tenantId} onClose={close} />}
      {shown === 'checkpoints' && <Checkpoints tenantId={tenantId} onClose={close} />}
    </>
  )
}
