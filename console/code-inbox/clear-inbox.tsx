import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { toast } from '../parts/pages/toast.ts'
import { TenantName } from '../tenants/tenant-name.tsx'

interface ClearInboxProps {
  readonly tenantId: string | undefined
  readonly clear: () => Promise<void>
}

/** Removes the stored messages, for every operator. */
export function ClearInbox({ tenantId, clear }: ClearInboxProps) {
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
          await clear()
          toast('The inbox is clear.')
        }}
      >
        The messages of {tenantId === undefined ? 'all tenants' : <TenantName tenantId={tenantId} />} disappear for
        every operator. Codes that were sent stay valid.
      </Confirm>
    </>
  )
}
