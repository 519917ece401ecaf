import { Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy } from '../parts/copy.tsx'
import { deploymentQuery } from '../shell/deployment-query.ts'

/** A command that works with a new key. The key itself is beside it, to be copied. */
export function UseKey({ tenantKey, kind }: { readonly tenantKey: string; readonly kind: 'publishable' | 'secret' }) {
  // With ADMIN_PORT, the origin of the console does not serve applications.
  const { data } = useQuery(deploymentQuery)
  const command = `curl ${data?.publicUrl ?? location.origin}/tenant-configuration -H 'X-Tenant-Key: ${tenantKey}'`
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
