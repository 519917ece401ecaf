import { Anchor, Group, Text } from '@mantine/core'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCan } from '../session/session.tsx'
import { TenantName } from './tenant-name.tsx'

/** The tenant above the title of its screens, for windows in which the navigation with its name is behind a button. */
export function TenantCrumb({ tenantId }: { readonly tenantId: string }) {
  const mayRead = useCan()('tenants:read', tenantId)
  const text = (
    <Group gap={6} wrap="nowrap" component="span">
      <IconBuildingCommunity size={16} stroke={1.75} style={{ flex: 'none' }} aria-hidden />
      <Text span inherit truncate lh={1.5}>
        <TenantName tenantId={tenantId} />
      </Text>
    </Group>
  )
  if (!mayRead)
    return (
      <Text size="sm" c="dimmed" miw={0} component="div">
        {text}
      </Text>
    )
  return (
    <Anchor size="sm" miw={0} renderRoot={(props) => <Link {...props} to="/tenants/$tenantId" params={{ tenantId }} />}>
      {text}
    </Anchor>
  )
}
