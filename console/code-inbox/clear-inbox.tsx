import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { TenantName } from '../tenants/tenant-name.tsx'

interface ClearInboxProps {
  readonly tenantId: string | undefined
  readonly onCleared: () => void
}

/** Removes the stored messages, for every operator. */
export function ClearInbox({ tenantId, onCleared }: ClearInboxProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={open}>
        Clear
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title="Clear the code inbox?"
        act="Clear"
        isDestructive
        onConfirm={async () => {
          await admin.clearTestingChannelMessages({ tenantId })
          onCleared()
          toast('The inbox is clear.')
        }}
      >
        The messages of {tenantId === undefined ? 'all tenants' : <TenantName tenantId={tenantId} />} disappear for
        every operator. Codes that were sent stay valid.
      </Confirm>
    </>
  )
}
