import { z } from 'zod'
import { type GrantedScope, type Role, roles, scopes } from './scopes.ts'

/** A scope as it is sent and stored. */
export const ScopeName = z.enum(['*', ...scopes] as [GrantedScope, ...GrantedScope[]])

export const RoleName = z.enum(Object.keys(roles) as [Role, ...Role[]])

/** What an operator lacks for an operation: a scope, or a part of what is granted beside scopes. */
export const MissingGrant = z.enum(['all tenants', 'later expiry', ...ScopeName.options])
export type MissingGrant = z.infer<typeof MissingGrant>
