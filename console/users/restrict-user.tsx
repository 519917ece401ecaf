import { Checkbox, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedUser, UserCapability } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { errorBesideFields, fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { readNow } from '../queries.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { capabilityNames, userCapabilities } from './capabilities.ts'
import { ReasonAndEnd } from './reason-and-end.tsx'
import { changedMeanwhile, restrictionOf, restrictionsAfter, typedRestrictions } from './typed-restrictions.ts'
import { nameOf } from './user-state.tsx'
import { type UserPath, userQuery, useUpdateUser } from './users-queries.ts'

interface RestrictUserProps {
  readonly path: UserPath
  readonly user: ManagedUser
  readonly onClose: () => void
}

/** Withdraws single capabilities, each with a reason and an end, or gives them back. */
export function RestrictUser({ path, user, onClose }: RestrictUserProps) {
  const [before] = useState(() => typedRestrictions(user))
  const [withdrawn, setWithdrawn] = useState(before)
  // Once another operator has changed a restriction meanwhile, what this operator has read of it.
  const [seen, setSeen] = useState(user)
  const queries = useQueryClient()
  const update = useUpdateUser(path)
  const saving = useMutation({
    async mutationFn() {
      // What another operator has restricted since stays.
      const now = await readNow(queries, userQuery(path))
      const changed = changedMeanwhile(seen, before, withdrawn, now)
      if (changed.length > 0) {
        setSeen(now)
        throw new Error(`Changed meanwhile: ${inWords(changed, now)}. Save again to replace it.`)
      }
      return update.mutateAsync({ restrictions: restrictionsAfter(before, withdrawn, now) })
    },
    onSuccess() {
      toast('The restrictions are saved')
      onClose()
    },
  })
  const errors = fieldErrorsOf(saving.error)
  const sent = update.variables?.restrictions ?? []
  const fields = sent.flatMap((_, index) => [`restrictions.${index}.reason`, `restrictions.${index}.until`])
  function toggle(capability: UserCapability, isWithdrawn: boolean): void {
    const { [capability]: _given, ...rest } = withdrawn
    setWithdrawn(isWithdrawn ? { ...rest, [capability]: { reason: '', until: '' } } : rest)
  }
  return (
    <FormDialog
      title="Restrict this user"
      act="Save"
      isPending={saving.isPending}
      error={errorBesideFields(saving.error, fields)}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <Text size="sm">
        What <bdi>{nameOf(user)}</bdi> may not do at <TenantName tenantId={path.tenantId} isStrong />. Everything else
        goes on.
      </Text>
      {userCapabilities.map((capability, index) => {
        const why = withdrawn[capability]
        const at = `restrictions.${sent.findIndex((one) => one.capability === capability)}`
        return (
          <Stack key={capability} gap="xs">
            <Checkbox
              label={capabilityNames[capability]}
              data-autofocus={index === 0 || undefined}
              checked={why !== undefined}
              onChange={({ currentTarget }) => toggle(capability, currentTarget.checked)}
            />
            {why !== undefined && (
              <Stack gap="xs" pl={30}>
                <ReasonAndEnd
                  value={why}
                  onChange={(changed) => setWithdrawn({ ...withdrawn, [capability]: changed })}
                  errors={{ reason: errors[`${at}.reason`], until: errors[`${at}.until`] }}
                  of={capabilityNames[capability]}
                />
              </Stack>
            )}
          </Stack>
        )
      })}
    </FormDialog>
  )
}

/** The present reasons of capabilities. */
const inWords = (capabilities: readonly UserCapability[], now: ManagedUser): string =>
  capabilities
    .map((capability) => {
      const stored = restrictionOf(now, capability)
      const reason = stored?.reason == null ? 'no reason given' : `“${stored.reason}”`
      const why = stored === undefined ? 'no longer restricted' : reason
      return `${capabilityNames[capability]} (${why})`
    })
    .join(', ')
