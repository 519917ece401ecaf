import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Problem } from '../pages/problem.tsx'
import { useFocusOfRefusedField } from '../pages/refused-field.ts'
import { reportIncomplete } from '../pages/report-incomplete.ts'
import { LeaveQuestion, useLeaving } from './unsaved-changes.tsx'

interface FormDialogProps {
  readonly title: string
  /** The verb of the button, such as "Create user". */
  readonly act: string
  readonly isDestructive?: true
  /** While false, the button does nothing. */
  readonly isReady?: boolean
  readonly isPending?: boolean
  /** Why the act failed; left out where each message stands at its field. */
  readonly error?: unknown
  readonly size?: 'lg'
  /** For a form that keeps what was typed while it is closed. */
  readonly isOpen?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

const unanswered = {
  title: 'Leave before the answer?',
  loss: 'The server has not answered yet. What it answers, such as a new key, is shown only here.',
}

/**
 * A dialog with a form. What was typed is not lost by a click beside it, and Back asks first. It stays until its act is
 * answered: a late success would close the dialog that was opened next.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, act, isDestructive, isReady = true, isPending = false, error, size, isOpen = true } = props
  const { onSubmit, children } = props
  const onClose = () => isPending || props.onClose()
  const [isTyped, setTyped] = useState(false)
  if (isTyped && !isOpen) setTyped(false)
  const form = useRef<HTMLFormElement>(null)
  useFocusOfRefusedField(form, isPending)
  const leaving = useLeaving(isOpen && (isTyped || isPending), 'stay')
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // A form in a dialog over another one is, for React, a child of it.
    event.stopPropagation()
    if (!reportIncomplete(event.currentTarget)) onSubmit()
  }
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        closeOnClickOutside={false}
        title={<Text fw={650}>{title}</Text>}
        {...(size && { size })}
      >
        <form ref={form} onSubmit={submit} onInput={() => setTyped(true)} noValidate>
          <Stack>
            {children}
            {error != null && <Problem error={error} ofAct />}
            <Group justify="flex-end">
              {/* The first focus where no field asks for it: Enter alone does nothing that is hard to undo. */}
              <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
                Cancel
              </Button>
              <Button type="submit" loading={isPending} disabled={!isReady} {...(isDestructive && { color: 'red.8' })}>
                {act}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <LeaveQuestion leaving={leaving} {...(isPending && unanswered)} />
    </>
  )
}
