import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Problem } from './problem.tsx'

interface RotateDialogProps {
  /** How long the old key can go on working, in the API's unit. */
  readonly overlaps: readonly { readonly value: string; readonly label: string }[]
  /** Chosen at first: one day. */
  readonly day: string
  /** Its failure is shown in the dialog, which then stays open. */
  readonly rotate: (overlap: number) => Promise<unknown>
  readonly onClose: () => void
  /** What rotating does. */
  readonly children: ReactNode
}

/** Asks how long the old key works beside the new one. */
export function RotateDialog({ overlaps, day, rotate, onClose, children }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(day)
  const { error, isPending, mutate } = useMutation({ mutationFn: () => rotate(Number(overlap)) })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>Rotate the key</Text>}>
      <Stack>
        <Text size="sm">{children}</Text>
        <Select
          label="The old key works for"
          data={overlaps}
          value={overlap}
          onChange={(value) => setOverlap(value ?? day)}
          allowDeselect={false}
          data-autofocus
        />
        {error !== null && <Problem error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isPending} onClick={() => mutate()}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
