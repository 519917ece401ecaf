import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Copy } from '../copy.tsx'

interface SecretProps {
  readonly value: string
  /** Completes "This is the only time the … is shown". */
  readonly what: string
  readonly onCopied?: () => void
}

/** A secret that the server answers only once. */
export function Secret({ value, what, onCopied }: SecretProps) {
  return (
    <Alert color="yellow" icon={<IconKey />} variant="light">
      {/* The message of an alert is cut at its edges: room for the ring of the focus. */}
      <Stack gap="xs" pe={4} pb={4}>
        <Text size="sm">This is the only time the {what} is shown. Store it now.</Text>
        <Group gap="xs" wrap="nowrap">
          <Code fz="sm" style={{ overflowWrap: 'anywhere' }} onCopy={onCopied}>
            {value}
          </Code>
          <Copy value={value} what={what} isFirst {...(onCopied && { onCopied })} />
        </Group>
      </Stack>
    </Alert>
  )
}
