import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { anyScript } from '../any-script.ts'
import { FormDialog } from './form-dialog.tsx'

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

/**
 * What a person can see and type of a text. A page shows several spaces as one, and neither characters without a width nor
 * how an accent is stored.
 */
const typeable = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

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
    <FormDialog
      isOpen={isOpen}
      title={title}
      act={act}
      {...(isDestructive && { isDestructive })}
      isReady={typed === undefined || typeable(text) === typeable(typed)}
      isPending={mutation.isPending}
      error={mutation.error}
      onSubmit={mutation.mutate}
      onClose={close}
    >
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
          {...anyScript}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
