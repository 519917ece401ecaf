import { Button, Checkbox, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { startDownload } from '../parts/start-download.ts'
import { admin } from '../session/admin.ts'
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
  const download = useMutation({
    mutationFn: () => admin.listUsers({ tenantId }, { limit: 1 }),
    onSuccess() {
      const href = `/admin/tenants/${tenantId}/users/export${query.size > 0 ? `?${query}` : ''}`
      startDownload(href, `users-${tenantId}.ndjson`)
      close()
    },
  })
  function close(): void {
    download.reset()
    // The next export includes what is chosen for it.
    setSensitive(false)
    setHashes(false)
    setOpen(false)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setOpen(true)}>
        Export
      </Button>
      <FormDialog
        isOpen={isOpen}
        title="Export users"
        act="Download"
        isPending={download.isPending}
        error={download.error}
        onSubmit={download.mutate}
        onClose={close}
      >
        <Text size="sm">
          All users of the tenant with their profiles, one JSON object per line, in the format of an import. The export
          is recorded in the activity. A complete file ends with the line “done”.
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
      </FormDialog>
    </>
  )
}
