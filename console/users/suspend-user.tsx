import { Text } from '@mantine/core'
import { useState } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { errorBesideFields, fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { ReasonAndEnd, type TypedWhy } from './reason-and-end.tsx'
import { instantOf } from './until.ts'
import { nameOf } from './user-state.tsx'
import { type UserPath, useUpdateUser } from './users-queries.ts'

interface SuspendUserProps {
  readonly path: UserPath
  readonly user: ManagedUser
  readonly onClose: () => void
}

/** Suspends a user, with a reason and an end. */
export function SuspendUser({ path, user, onClose }: SuspendUserProps) {
  const [why, setWhy] = useState<TypedWhy>({ reason: '', until: '' })
  const update = useUpdateUser(path)
  const errors = fieldErrorsOf(update.error)
  function submit(): void {
    const suspension = { reason: why.reason.trim() || null, until: instantOf(why.until) }
    update.mutate(
      { suspension },
      {
        onSuccess() {
          toast('The user is suspended')
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Suspend this user?"
      act="Suspend user"
      isDestructive
      isPending={update.isPending}
      error={errorBesideFields(update.error, ['suspension.reason', 'suspension.until'])}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        Every request and sign-in of <bdi>{nameOf(user)}</bdi> at <TenantName tenantId={path.tenantId} isStrong /> is
        refused from now on. Nothing is deleted.
      </Text>
      <ReasonAndEnd
        value={why}
        onChange={setWhy}
        errors={{ reason: errors['suspension.reason'], until: errors['suspension.until'] }}
      />
    </FormDialog>
  )
}
