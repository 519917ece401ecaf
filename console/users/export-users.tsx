import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../session/session.tsx'

/** Downloads all users as lines; the browser writes them to the file as they arrive. */
export function ExportUsers({ tenantId }: { readonly tenantId: string }) {
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const [sensitive, setSensitive] = useState(false)
  const [hashes, setHashes] = useState(false)
  const query = new URLSearchParams({
    ...(sensitive && { sensitive: 'true' }),
    ...(hashes && { passwordHashes: 'true' }),
  })
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setOpen(true)}>
        Export
      </Button>
      <Modal opened={isOpen} onClose={close} title={<Text fw={650}>Export users</Text>}>
        <Stack>
          <Text size="sm">
            All users of the tenant with their profiles, one JSON object per line, in the format of an import. The
            export is recorded in the activity. A complete file ends with the line “done”.
          </Text>
          <Checkbox
            label="Include sensitive fields"
            data-autofocus
            description="Otherwise their values are null."
            checked={sensitive}
            onChange={({ currentTarget }) => setSensitive(currentTarget.checked)}
          />
          {can('users:export-hashes', tenantId) && (
            <Checkbox
              label="Include password hashes"
              description="Needed to move to another system without password resets. Keep the file like a password."
              checked={hashes}
              onChange={({ currentTarget }) => setHashes(currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              component="a"
              href={`/admin/tenants/${tenantId}/users/export${query.size > 0 ? `?${query}` : ''}`}
              download={`users-${tenantId}.ndjson`}
              onClick={close}
            >
              Download
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
