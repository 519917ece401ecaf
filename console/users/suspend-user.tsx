import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { errorBesideFields, fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { readNow } from '../queries.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { ReasonAndEnd, type TypedWhy } from './reason-and-end.tsx'
import { instantOf } from './until.ts'
import { nameOf } from './user-state.tsx'
import { type UserPath, userQuery, useUpdateUser } from './users-queries.ts'

interface SuspendUserProps {
  readonly path: UserPath
  readonly user: ManagedUser
  readonly onClose: () => void
}

type Suspension = ManagedUser['suspension']

export const isSameSuspension = (one: Suspension, other: Suspension): boolean =>
  one?.reason === other?.reason && one?.until === other?.until

/** Suspends a user, with a reason and an end. */
export function SuspendUser({ path, user, onClose }: SuspendUserProps) {
  const [why, setWhy] = useState<TypedWhy>({ reason: '', until: '' })
  // One that another operator made meanwhile, once this operator has read it.
  const [replaced, setReplaced] = useState<Suspension>(null)
  const queries = useQueryClient()
  const update = useUpdateUser(path)
  const saving = useMutation({
    async mutationFn() {
      const suspension = { reason: why.reason.trim() || null, until: instantOf(why.until) }
      const { suspension: now } = await readNow(queries, userQuery(path))
      if (now !== null && !isSameSuspension(now, replaced) && !isSameSuspension(now, suspension)) {
        setReplaced(now)
        const reason = now.reason === null ? 'no reason given' : `“${now.reason}”`
        throw new Error(`The user was suspended meanwhile: ${reason}. Suspend again to replace reason and end.`)
      }
      return update.mutateAsync({ suspension })
    },
    onSuccess() {
      toast('The user is suspended')
      onClose()
    },
  })
  const errors = fieldErrorsOf(saving.error)
  return (
    <FormDialog
      title="Suspend this user?"
      act="Suspend user"
      isDestructive
      isPending={saving.isPending}
      error={errorBesideFields(saving.error, ['suspension.reason', 'suspension.until'])}
      onSubmit={saving.mutate}
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
