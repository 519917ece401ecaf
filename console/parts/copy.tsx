import { ActionIcon, Tooltip } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

interface CopyProps {
  readonly value: string
  /** Completes "Copy the …". */
  readonly what: string
  /** Called once `value` is in the clipboard: a browser may refuse it. */
  readonly onCopied?: () => void
  /** `lg` for what is copied often, such as a code. */
  readonly size?: 'sm' | 'lg'
  /** Whether it has the first focus of its dialog. */
  readonly isFirst?: true
}

/** A button that copies `value`. */
export function Copy({ value, what, onCopied, size = 'sm', isFirst }: CopyProps) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null)
  const forgetting = useTimeout(() => setResult(null), 2000)
  async function copy(): Promise<void> {
    forgetting.clear()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      setResult('refused')
      return
    }
    setResult('copied')
    forgetting.start()
    onCopied?.()
  }
  const label =
    result === 'copied'
      ? 'Copied'
      : result === 'refused'
        ? `The browser refused to copy the ${what}: select the text instead`
        : `Copy the ${what}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={size === 'lg' ? 'light' : 'subtle'}
        color={result === 'refused' ? 'red' : size === 'lg' ? 'teal' : 'gray'}
        size={size}
        data-autofocus={isFirst}
        data-copy
        onClick={() => void copy()}
        aria-label={label}
      >
        {result === 'copied' ? (
          <IconCheck size={16} />
        ) : result === 'refused' ? (
          <IconAlertTriangle size={16} />
        ) : (
          <IconCopy size={16} />
        )}
      </ActionIcon>
    </Tooltip>
  )
}
