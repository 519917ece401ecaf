import {
  IconBuildingCommunity,
  IconChartBar,
  IconFileCode,
  IconForms,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconMail,
  IconPassword,
  type IconProps,
  IconSend,
  IconSignature,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Scope } from '../../contract/scopes.ts'
import { useCan } from '../session/session.tsx'

/** A line of the navigation. The same lines stand in the same places always. */
export interface Screen {
  readonly label: string
  /** `$tenantId` is replaced by the current tenant. */
  readonly path: string
  readonly Icon: ComponentType<IconProps>
  /** What its first request requires; `any` for every operator. */
  readonly scope: Scope | 'any'
  /** Only for operators who reach the deployment. */
  readonly isOfDeployment?: true
  /** Highlighted only at exactly this path. */
  readonly isExact?: true
}

// biome-ignore format: one line a screen
export const screensOfDeployment: readonly Screen[] = [
  { label: 'Overview', path: '/', Icon: IconLayoutDashboard, scope: 'any', isExact: true },
  { label: 'Tenants', path: '/tenants', Icon: IconBuildingCommunity, scope: 'tenants:read', isExact: true },
  { label: 'Code inbox', path: '/code-inbox', Icon: IconInbox, scope: 'codes:read' },
  { label: 'Activity', path: '/activity', Icon: IconHistory, scope: 'events:read', isOfDeployment: true },
  { label: 'Operators', path: '/operators', Icon: IconUserShield, scope: 'operators:read', isOfDeployment: true },
  { label: 'Signing keys', path: '/signing-keys', Icon: IconSignature, scope: 'system:read', isOfDeployment: true },
]

// biome-ignore format: one line a screen
export const screensOfTenant: readonly Screen[] = [
  { label: 'Overview', path: '/tenants/$tenantId', Icon: IconChartBar, scope: 'tenants:read', isExact: true },
  { label: 'Users', path: '/tenants/$tenantId/users', Icon: IconUsers, scope: 'users:read' },
  { label: 'Profile schema', path: '/tenants/$tenantId/profile-schema', Icon: IconForms, scope: 'schema:read' },
  { label: 'Sign-in and codes', path: '/tenants/$tenantId/sign-in', Icon: IconPassword, scope: 'configuration:read' },
  { label: 'Delivery', path: '/tenants/$tenantId/delivery', Icon: IconSend, scope: 'configuration:read' },
  { label: 'Messages', path: '/tenants/$tenantId/messages', Icon: IconMail, scope: 'messages:read' },
  { label: 'Keys', path: '/tenants/$tenantId/keys', Icon: IconKey, scope: 'keys:read' },
  { label: 'Activity', path: '/tenants/$tenantId/activity', Icon: IconHistory, scope: 'events:read' },
  { label: 'Configuration', path: '/tenants/$tenantId/configuration', Icon: IconFileCode, scope: 'configuration:read' },
]

/** Below a line of the navigation, and for fewer operators. */
const importOfUsers: Screen = {
  ...{ label: 'Import users', path: '/tenants/$tenantId/users/import' },
  ...{ Icon: IconUsers, scope: 'users:write' },
}

/** Whether the operator may see a screen, of this tenant if one is given. */
export function useMayVisit(): (screen: Screen, tenantId?: string) => boolean {
  const can = useCan()
  return ({ scope, isOfDeployment }, tenantId) => scope === 'any' || can(scope, isOfDeployment ? null : tenantId)
}

/** The path of a screen, of this tenant if one is given. */
export const pathOf = ({ path }: Screen, tenantId = ''): string => path.replace('$tenantId', tenantId)

/** Whether a path is that of a screen or below it. */
export const isAt = (pathname: string, screen: Screen, tenantId?: string): boolean => {
  const own = pathOf(screen, tenantId)
  return pathname === own || (!screen.isExact && pathname.startsWith(`${own}/`))
}

/** The screen of a path, of this tenant if one is given. */
export const screenAt = (pathname: string, tenantId?: string): Screen | undefined =>
  [importOfUsers, ...screensOfTenant, ...screensOfDeployment].find((one) => isAt(pathname, one, tenantId))
