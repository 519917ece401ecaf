import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { NameInput } from '../parts/dialogs/name-input.tsx'
import { toast } from '../parts/pages/toast.ts'
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
    <FormDialog
      title="Rename tenant"
      act="Rename"
      isPending={rename.isPending}
      error={errors['name'] === undefined ? rename.error : null}
      onSubmit={rename.mutate}
      onClose={onClose}
    >
      <NameInput
        description="Its users read it in messages. Keys and the id stay the same."
        value={name}
        onChange={setName}
        error={errors['name']}
      />
    </FormDialog>
  )
}
