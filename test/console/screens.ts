/** A screen of the console, as `console/routes.tsx` lists it. */
export interface ScreenCase {
  /** Below `/console`; `:tenantId` and `:userId` are replaced. */
  readonly path: string
  /** Its `h1`. */
  readonly heading: string | RegExp
}

/** Every screen. Each is checked in both colour schemes and at both widths. */
export const screens: readonly ScreenCase[] = [
  { path: '/', heading: 'Overview' },
  { path: '/tenants', heading: 'Tenants' },
  { path: '/tenants?q=nothing+has+this+name', heading: 'Tenants' },
  { path: '/tenants/:tenantId', heading: /^(Acme Shop|Tenant)$/ },
  { path: '/tenants/:tenantId/users', heading: 'Users' },
  { path: '/tenants/:tenantId/users/import', heading: /^Import/ },
  { path: '/tenants/:tenantId/users/:userId', heading: /./ },
  { path: '/tenants/:tenantId/profile-schema', heading: 'Profile schema' },
  { path: '/tenants/:tenantId/sign-in', heading: 'Sign-in and codes' },
  { path: '/tenants/:tenantId/delivery', heading: 'Delivery' },
  { path: '/tenants/:tenantId/messages', heading: 'Messages' },
  { path: '/tenants/:tenantId/keys', heading: 'Keys' },
  { path: '/tenants/:tenantId/activity', heading: 'Activity' },
  { path: '/tenants/:tenantId/configuration', heading: 'Configuration' },
  { path: '/code-inbox', heading: 'Code inbox' },
  { path: '/activity', heading: 'Activity' },
  { path: '/operators', heading: 'Operators' },
  { path: '/signing-keys', heading: 'Signing keys' },
  { path: '/no-such-screen', heading: 'Page not found' },
]
