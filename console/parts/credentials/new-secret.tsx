import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Secret } from './secret.tsx'

interface NewSecretProps {
  /** The secret; null while there is none to show. */
  readonly value: string | null
  readonly title: string
  /** Completes "This is the only time the … is shown". */
  readonly what: string
  /** What to do with it. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** Shows a secret once. Asks before it is closed uncopied, and before the screen is left or the tab closed. */
export function NewSecret({ value, title, what, children, onClose }: NewSecretProps) {
  const [isCopied, setCopied] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const isAtRisk = value !== null && !isCopied
  useBlocker({
    shouldBlockFn() {
      if (isAtRisk) setLeaving(true)
      return isAtRisk
    },
    enableBeforeUnload: () => isAtRisk,
  })
  function close(): void {
    setCopied(false)
    setLeaving(false)
    onClose()
  }
  return (
    <Modal
      opened={value !== null}
      onClose={() => (isCopied ? close() : setLeaving(true))}
      closeOnClickOutside={false}
      title={<Text fw={650}>{title}</Text>}
      size="lg"
    >
      <Stack>
        <Secret value={value ?? ''} what={what} onCopied={() => setCopied(true)} />
        {children}
        {isLeaving && !isCopied ? (
          <Group justify="flex-end" role="alert">
            <Text size="sm" flex="1 1 220px">
              The {what} is not copied, and cannot be shown again.
            </Text>
            <Button color="red.8" onClick={close}>
              Close without it
            </Button>
          </Group>
        ) : (
          <Group justify="flex-end">
            <Button onClick={() => (isCopied ? close() : setLeaving(true))}>Done</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}
