import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { Problem } from '../parts/problem.tsx'
import { toast } from '../parts/toast.ts'
import { ReasonAndEnd, type TypedWhy } from './reason-and-end.tsx'
import { instantOf } from './until.ts'
import { type UserPath, useUpdateUser } from './users-queries.ts'

/** Suspends a user, with a reason and an end. */
export function SuspendUser({ path, onClose }: { readonly path: UserPath; readonly onClose: () => void }) {
  const [why, setWhy] = useState<TypedWhy>({ reason: '', until: '' })
  const update = useUpdateUser(path)
  const errors = fieldErrorsOf(update.error)
  function submit(event: FormEvent): void {
    event.preventDefault()
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
    <Modal opened onClose={onClose} title={<Text fw={650}>Suspend this user?</Text>}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Every request and sign-in of the user is refused from now on. Nothing is deleted.</Text>
          <ReasonAndEnd
            value={why}
            onChange={setWhy}
            errors={{ reason: errors['suspension.reason'], until: errors['suspension.until'] }}
          />
          {update.isError && Object.keys(errors).length === 0 && <Problem error={update.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={update.isPending}>
              Suspend user
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
