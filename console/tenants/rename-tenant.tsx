import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { Problem } from '../parts/problem.tsx'
import { toast } from '../parts/toast.ts'
import { useChangeTenant } from './change-tenant.ts'

/** Changes the name that users read in messages. */
export function RenameTenant({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }) {
  const [name, setName] = useState(tenant.name)
  const change = useChangeTenant(tenant.id)
  const rename = useMutation({
    mutationFn: () => change({ name }),
    onSuccess() {
      toast('The tenant has a new name')
      onClose()
    },
  })
  const errors = fieldErrorsOf(rename.error)
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={<Text fw={650}>Rename tenant</Text>}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Its users read it in messages. Keys and the id stay the same."
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={errors['name']}
            autoComplete="off"
            dir="auto"
            data-autofocus
          />
          {rename.isError && errors['name'] === undefined && <Problem error={rename.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
