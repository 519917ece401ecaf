import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ManagedUser, UserCapability } from '../../packages/client/src/admin.ts'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { Problem } from '../parts/problem.tsx'
import { toast } from '../parts/toast.ts'
import { capabilityNames, userCapabilities } from './capabilities.ts'
import { ReasonAndEnd, type TypedWhy } from './reason-and-end.tsx'
import { instantOf, localOf } from './until.ts'
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
  function submit(event: FormEvent): void {
    event.preventDefault()
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
    <Modal opened onClose={onClose} title={<Text fw={650}>Restrict this user</Text>}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">What the user may not do. Everything else goes on.</Text>
          {userCapabilities.map((capability) => {
            const why = withdrawn[capability]
            const at = `restrictions.${chosen.indexOf(capability)}`
            return (
              <Stack key={capability} gap="xs">
                <Checkbox
                  label={capabilityNames[capability]}
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
          {update.isError && Object.keys(errors).length === 0 && <Problem error={update.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={update.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
