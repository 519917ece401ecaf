/** The parts of the administration that are granted apart. */
export const areas = [
  'tenants',
  'configuration',
  'schema',
  'keys',
  'users',
  'profiles',
  'sessions',
  'uploads',
  'messages',
  'webhooks',
  'events',
  'operators',
  'system',
] as const
type Area = (typeof areas)[number]

/** Scopes that no other scope includes, except `*`. */
export const singleScopes = ['users:export', 'users:export-hashes', 'users:delete', 'codes:read'] as const

/** What an operation requires of an operator: reading or changing an area, or one of the single scopes. */
export type Scope = `${Area}:${'read' | 'write'}` | (typeof singleScopes)[number]

/** What an operator is granted: scopes, or all of them. */
export type GrantedScope = Scope | '*'

export const scopes: readonly Scope[] = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  ...singleScopes,
]

/** Whether `granted` includes `scope`: `*` includes every scope, and writing an area includes reading it. */
export function isGranted(granted: readonly GrantedScope[], scope: GrantedScope): boolean {
  if (granted.includes('*') || granted.includes(scope)) return true
  return scope.endsWith(':read') && granted.includes(scope.replace(/read$/, 'write') as GrantedScope)
}

const reading = areas.map((area): Scope => `${area}:read`)
const writingBut = (...without: readonly Area[]) =>
  areas.filter((area) => !without.includes(area)).map((area): Scope => `${area}:write`)

/** Names for lists of scopes. They are expanded when an operator is stored: a later version changes no operator. */
export const roles = {
  owner: ['*'],
  admin: [...writingBut('operators'), ...singleScopes],
  developer: ['tenants:read', 'configuration:write', 'schema:write', 'keys:write', 'webhooks:write', 'users:read'],
  support: ['tenants:read', 'schema:read', 'users:write', 'profiles:write', 'sessions:write', 'messages:write'],
  auditor: ['events:read'],
  viewer: reading,
} as const satisfies Readonly<Record<string, readonly GrantedScope[]>>
export type Role = keyof typeof roles
