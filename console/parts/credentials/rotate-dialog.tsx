import { Select, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { useIdempotencyKey } from '../dialogs/idempotency-key.ts'

interface RotateDialogProps {
  /** How long the old key can go on working, in the API's unit. */
  readonly overlaps: readonly { readonly value: string; readonly label: string }[]
  /** Chosen at first: one day. */
  readonly day: string
  /** Its failure is shown in the dialog, which then stays open. */
  readonly rotate: (overlap: number, idempotencyKey: string) => Promise<unknown>
  readonly onClose: () => void
  /** What rotating does. */
  readonly children: ReactNode
}

/** Asks how long the old key works beside the new one. */
export function RotateDialog({ overlaps, day, rotate, onClose, children }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(day)
  const { keyFor } = useIdempotencyKey()
  const { error, isPending, mutate } = useMutation({ mutationFn: () => rotate(Number(overlap), keyFor(overlap)) })
  return (
    <FormDialog
      title="Rotate the key"
      act="Rotate"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Text size="sm">{children}</Text>
      <Select
        label="The old key works for"
        data={overlaps}
        value={overlap}
        onChange={(value) => setOverlap(value ?? day)}
        allowDeselect={false}
        data-autofocus
      />
    </FormDialog>
  )
}
