import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconListCheck, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { startDownload } from '../parts/start-download.ts'
import { exportPath, type LogOf, readEvents } from './activity-queries.ts'
import { Checkpoints } from './checkpoints.tsx'
import { VerifyLog } from './verify-log.tsx'

/** Export, verification and checkpoints of a log. */
export function LogTools({ tenantId }: { readonly tenantId: LogOf }) {
  const [shown, setShown] = useState<'export' | 'verify' | 'checkpoints' | null>(null)
  const close = () => setShown(null)
  async function download(): Promise<void> {
    await readEvents(tenantId, { limit: '1' })
    startDownload(exportPath(tenantId), `events-${tenantId ?? 'deployment'}.ndjson`)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Evidence
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setShown('export')}>
            Export all events…
          </Menu.Item>
          <Menu.Item leftSection={<IconListCheck size={16} />} onClick={() => setShown('checkpoints')}>
            Checkpoints…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button leftSection={<IconShieldCheck size={16} />} onClick={() => setShown('verify')}>
        Verify
      </Button>
      <Confirm isOpen={shown === 'export'} onClose={close} title="Export events" act="Download" onConfirm={download}>
        All events of this log with the batches that prove them, one JSON object per line, oldest first. The export is
        recorded in the activity. A complete file ends with the line “done”.
      </Confirm>
      {shown === 'verify' && <VerifyLog tenantId={tenantId} onClose={close} />}
      {shown === 'checkpoints' && <Checkpoints tenantId={tenantId} onClose={close} />}
    </>
  )
}
