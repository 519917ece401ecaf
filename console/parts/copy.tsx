import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyProps {
  readonly value: string
  /** Completes "Copy the …". */
  readonly what: string
  readonly onCopied?: () => void
  /** `lg` for what is copied often, such as a code. */
  readonly size?: 'sm' | 'lg'
  /** Whether it has the first focus of its dialog. */
  readonly isFirst?: true
}

/** A button that copies `value`. */
export function Copy({ value, what, onCopied, size = 'sm', isFirst }: CopyProps) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy the ${what}`}>
          <ActionIcon
            variant={size === 'lg' ? 'light' : 'subtle'}
            color={size === 'lg' ? 'teal' : 'gray'}
            size={size}
            data-autofocus={isFirst}
            onClick={() => {
              copy()
              onCopied?.()
            }}
            aria-label={copied ? 'Copied' : `Copy the ${what}`}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
