import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyProps {
  readonly value: string
  /** Completes "Copy the …". */
  readonly what: string
  readonly onCopied?: () => void
  /** `lg` for what is copied often, such as a code. */
  readonly size?: 'sm' | 'lg'
}

/** A button that copies `value`. */
export function Copy({ value, what, onCopied, size = 'sm' }: CopyProps) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy the ${what}`}>
          <ActionIcon
            variant={size === 'lg' ? 'light' : 'subtle'}
            color={size === 'lg' ? 'teal' : 'gray'}
            size={size}
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
