/** A screen of the console, as `console/routes.tsx` lists it. */
export interface ScreenCase {
  /** Below `/console`; `:tenantId` and `:userId` are replaced. */
  readonly path: string
  /** Its `h1`. */
  readonly heading: string | RegExp
  /** A text of each part that is read or loaded after the others. */
  readonly shows: readonly (string | RegExp)[]
}

/** Titles, and the days below the bars, which are loaded last. */
const charts = ['Sign-ups a day', 'Sign-ins a day', 'Codes a day', /^[A-Z][a-z]{2} \d+$/]

/** Every screen. Each is checked in both colour schemes and at both widths. */
export const screens: readonly ScreenCase[] = [
  { path: '/', heading: 'Overview', shows: [...charts, 'SQLite'] },
  { path: '/tenants', heading: 'Tenants', shows: ['Acme Shop'] },
  { path: '/tenants?q=nothing+has+this+name', heading: 'Tenants', shows: ['No tenant matches'] },
  { path: '/tenants/:tenantId', heading: 'Acme Shop', shows: [...charts, 'Password, Codes, Guests', 'Version 2'] },
  { path: '/tenants/:tenantId/users', heading: 'Users', shows: ['ada.lovelace0', 'Suspended'] },
  { path: '/tenants/:tenantId/users/import', heading: /^Import/, shows: ['Choose a file'] },
  {
    path: '/tenants/:tenantId/users/:userId',
    heading: /@example.com$/,
    shows: ['Code by e-mail', 'signed in', 'Ada Lovelace', 'Password reset', 'filled in the profile'],
  },
  { path: '/tenants/:tenantId/profile-schema', heading: 'Profile schema', shows: ['nickname', 'is current'] },
  { path: '/tenants/:tenantId/sign-in', heading: 'Sign-in and codes', shows: ['A code has 6 digits'] },
  { path: '/tenants/:tenantId/delivery', heading: 'Delivery', shows: ['Your sign-in code for', 'SMS a day'] },
  { path: '/tenants/:tenantId/messages', heading: 'Messages', shows: ['Failed in 24 hours', 'ada.lovelace0'] },
  { path: '/tenants/:tenantId/keys', heading: 'Keys', shows: ['back end'] },
  { path: '/tenants/:tenantId/activity', heading: 'Activity', shows: ['signed in with a password'] },
  { path: '/tenants/:tenantId/configuration', heading: 'Configuration', shows: ['"ttlSeconds"'] },
  { path: '/code-inbox', heading: 'Code inbox', shows: ['ada.lovelace0', 'Acme Shop', 'Live'] },
  { path: '/activity', heading: 'Activity', shows: ['Support desk'] },
  { path: '/operators', heading: 'Operators', shows: ['Support desk'] },
  { path: '/signing-keys', heading: 'Signing keys', shows: ['Signs'] },
  { path: '/no-such-screen', heading: 'Page not found', shows: ['Go to the overview'] },
]
