import { Code, Group, Stack, Text } from '@mantine/core'
import { Copy } from '../parts/copy.tsx'

/** A command that works with a new key. The key itself is beside it, to be copied. */
export function UseKey({ tenantKey, kind }: { readonly tenantKey: string; readonly kind: 'publishable' | 'secret' }) {
  const command = `curl ${location.origin}/tenant-configuration -H 'X-Tenant-Key: ${tenantKey}'`
  return (
    <Stack gap="xs">
      <Text size="sm">
        {kind === 'secret' ? 'Keep it on your server. ' : ''}Send it in the header <Code>X-Tenant-Key</Code>, such as:
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block fz="xs" flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {command}
        </Code>
        <Copy value={command} what="command" />
      </Group>
    </Stack>
  )
}
