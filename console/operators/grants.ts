import {
  areas,
  type GrantedScope,
  isGranted,
  type Role,
  roles,
  type Scope,
  singleScopes,
} from '../../contract/scopes.ts'

export type Area = (typeof areas)[number]
export type SingleScope = (typeof singleScopes)[number]
export type Level = 'none' | 'read' | 'write'
export { areas, type Role, roles, singleScopes }

/** What each role is for. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, also other operators.',
  admin: 'Everything except other operators.',
  developer: 'Configuration, profile schema and keys. Reads users.',
  support: 'Users, their profiles and sessions, and messages. No deletion, no export.',
  auditor: 'The activity only.',
  viewer: 'Reads everything except codes, and changes nothing.',
}

export const areaWords: Readonly<Record<Area, string>> = {
  tenants: 'Tenants',
  configuration: 'Configuration',
  schema: 'Profile schema',
  keys: 'Keys of tenants',
  users: 'Users',
  profiles: 'Profiles',
  sessions: 'Sessions',
  uploads: 'Uploads',
  messages: 'Messages',
  webhooks: 'Webhooks',
  events: 'Activity',
  operators: 'Operators',
  system: 'Deployment',
}

export const singleScopeWords: Readonly<Record<SingleScope, string>> = {
  'users:export': 'Export users',
  'users:export-hashes': 'Export password hashes',
  'users:delete': 'Delete users',
  'codes:read': 'Read codes in the code inbox',
}

/** The role whose scopes these are; null for a choice of scopes. */
export function roleOf(scopes: readonly GrantedScope[]): Role | null {
  const same = (role: Role) =>
    roles[role].length === scopes.length && roles[role].every((scope: GrantedScope) => scopes.includes(scope))
  return (Object.keys(roles) as Role[]).find(same) ?? null
}

/** What of an area is granted. */
export function levelOf(scopes: readonly GrantedScope[], area: Area): Level {
  if (isGranted(scopes, `${area}:write`)) return 'write'
  return isGranted(scopes, `${area}:read`) ? 'read' : 'none'
}

/** The scopes with another level for an area. */
export function withLevel(scopes: readonly GrantedScope[], area: Area, level: Level): GrantedScope[] {
  const others = explicit(scopes).filter((scope) => !scope.startsWith(`${area}:`) || isSingle(scope))
  return level === 'none' ? others : [...others, `${area}:${level}`]
}

/** The scopes with or without one that no area includes. */
export function withSingle(scopes: readonly GrantedScope[], single: SingleScope, isOn: boolean): GrantedScope[] {
  const others = explicit(scopes).filter((scope) => scope !== single)
  return isOn ? [...others, single] : others
}

const isSingle = (scope: GrantedScope): boolean => (singleScopes as readonly string[]).includes(scope)

/** `*` as the scopes that it includes. */
const explicit = (scopes: readonly GrantedScope[]): GrantedScope[] =>
  scopes.includes('*') ? [...areas.map((area): Scope => `${area}:write`), ...singleScopes] : [...scopes]

/** Whether one may grant these scopes: operators grant only what they have. */
export const mayGrant = (own: readonly GrantedScope[], scopes: readonly GrantedScope[]): boolean =>
  scopes.every((scope) => isGranted(own, scope))
