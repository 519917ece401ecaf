import { Divider, NavLink, Stack } from '@mantine/core'
import { Link, useParams, useRouterState } from '@tanstack/react-router'
import { FailedBadge } from '../messages/failed-badge.tsx'
import { isAt, pathOf, type Screen, screensOfDeployment, screensOfTenant, useMayVisit } from './screens.ts'
import { TenantSwitcher } from './tenant-switcher.tsx'

const messages = '/tenants/$tenantId/messages'

export function Navigation() {
  const { tenantId } = useParams({ strict: false })
  return (
    <Stack gap={2}>
      <Stack gap={2} role="group" aria-label="Deployment">
        <Lines screens={screensOfDeployment} />
      </Stack>
      <Divider my="sm" color="var(--line)" />
      <TenantSwitcher tenantId={tenantId} />
      {tenantId !== undefined && (
        <Stack gap={2} role="group" aria-label="This tenant">
          <Lines screens={screensOfTenant} tenantId={tenantId} />
        </Stack>
      )}
    </Stack>
  )
}

function Lines({ screens, tenantId }: { readonly screens: readonly Screen[]; readonly tenantId?: string }) {
  const mayVisit = useMayVisit()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const visited = screens.filter((screen) => mayVisit(screen, tenantId))
  return visited.map((screen) => {
    const { label, path, Icon, isExact } = screen
    const isCurrent = isAt(pathname, screen, tenantId)
    return (
      <NavLink
        key={path}
        component={Link}
        to={pathOf(screen, tenantId)}
        activeOptions={{ exact: isExact === true, includeSearch: false }}
        label={label}
        active={isCurrent}
        {...(isCurrent && { 'aria-current': 'page' })}
        leftSection={<Icon size={20} stroke={1.75} />}
        {...(path === messages && { rightSection: <FailedBadge tenantId={tenantId!} /> })}
        styles={{
          root: { borderRadius: 'var(--mantine-radius-md)', minHeight: 40 },
          label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500 },
        }}
        {...(isCurrent && { bg: 'var(--accent-tint)', c: 'var(--accent-text)' })}
      />
    )
  })
}
