import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export function Brand() {
  return (
    <Anchor component={Link} to="/" underline="never" c="inherit" aria-label="Tenantry">
      <Group gap="xs" wrap="nowrap">
        <img src="/console/icon.svg" alt="" width={28} height={28} />
        {/* Beside the environment, a phone has no room for it. */}
        <Text span fw={650} fz="lg" visibleFrom="xs">
          Tenantry
        </Text>
      </Group>
    </Anchor>
  )
}
