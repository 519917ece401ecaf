import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Problem } from './problem.tsx'

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What happens, and what is lost. */
  readonly children: ReactNode
  /** The verb of the button, such as "Delete user". */
  readonly act: string
  readonly isDestructive?: true
  /** Must be typed before the act is possible; only for deletions. */
  readonly typed?: string
  /** Its failure is shown in the dialog, which then stays open. */
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before an act that is not taken back easily. */
export function Confirm({ isOpen, onClose, title, children, act, isDestructive, typed, onConfirm }: ConfirmProps) {
  const [text, setText] = useState('')
  const mutation = useMutation({ mutationFn: onConfirm, onSuccess: close })
  function close(): void {
    setText('')
    mutation.reset()
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={<Text fw={650}>{title}</Text>}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutation.mutate()
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type “${typed}” to confirm`}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              data-autofocus
            />
          )}
          {mutation.isError && <Problem error={mutation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={mutation.isPending}
              disabled={typed !== undefined && text.trim() !== typed}
              {...(isDestructive && { color: 'red.8' })}
            >
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
