import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ManagedUser, UserCapability } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { toast } from '../parts/toast.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { capabilityNames, userCapabilities } from './capabilities.ts'
import { ReasonAndEnd, type TypedWhy } from './reason-and-end.tsx'
import { instantOf, localOf } from './until.ts'
import { nameOf } from './user-state.tsx'
import { type UserPath, useUpdateUser } from './users-queries.ts'

interface RestrictUserProps {
  readonly path: UserPath
  readonly user: ManagedUser
  readonly onClose: () => void
}

type Withdrawn = Readonly<Partial<Record<UserCapability, TypedWhy>>>

/** Withdraws single capabilities, each with a reason and an end, or gives them back. */
export function RestrictUser({ path, user, onClose }: RestrictUserProps) {
  const inForce = user.restrictions.filter(({ capability }) => user.restrictedCapabilities.includes(capability))
  const [withdrawn, setWithdrawn] = useState<Withdrawn>(() =>
    Object.fromEntries(
      inForce.map(({ capability, reason, until }) => [capability, { reason: reason ?? '', until: localOf(until) }]),
    ),
  )
  const update = useUpdateUser(path)
  const errors = fieldErrorsOf(update.error)
  const chosen = userCapabilities.filter((capability) => withdrawn[capability] !== undefined)
  const restrictions = chosen.map((capability) => {
    const { reason, until } = withdrawn[capability]!
    return { capability, reason: reason.trim() || null, until: instantOf(until) }
  })
  function toggle(capability: UserCapability, isWithdrawn: boolean): void {
    const { [capability]: _given, ...rest } = withdrawn
    setWithdrawn(isWithdrawn ? { ...rest, [capability]: { reason: '', until: '' } } : rest)
  }
  function submit(): void {
    update.mutate(
      { restrictions },
      {
        onSuccess() {
          toast('The restrictions are saved')
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Restrict this user"
      act="Save"
      isPending={update.isPending}
      error={Object.keys(errors).length === 0 ? update.error : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        What <bdi>{nameOf(user)}</bdi> may not do at <TenantName tenantId={path.tenantId} isStrong />. Everything else
        goes on.
      </Text>
      {userCapabilities.map((capability, index) => {
        const why = withdrawn[capability]
        const at = `restrictions.${chosen.indexOf(capability)}`
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
