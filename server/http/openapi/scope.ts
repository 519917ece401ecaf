import { type Operation, type Reach, reachOf } from '../../../contract/operation.ts'
import { isParameterGroup } from '../../../contract/parameter-group.ts'
import type { JsonObject } from './schemas.ts'

/** The credentials of an operation. An operator's scopes are in `x-scope`: Spectral refuses scopes of schemes other than OAuth. */
export function securityOf({ method, auth }: Operation): JsonObject[] {
  switch (auth) {
    case 'none':
      return []
    case 'admin':
      return [{ AdminKey: [] }, { ConsoleSession: [] }]
    case 'console':
      return method === 'POST' ? [] : [{}, { ConsoleSession: [] }]
    case 'tenant':
      return [{ TenantKey: [] }]
    case 'tenant, user':
      return [{ TenantKey: [], UserToken: [] }]
    case 'tenant, user?':
      return [{ TenantKey: [] }, { TenantKey: [], UserToken: [] }]
  }
}

/** The operator's scopes for programs, and what operators bound to tenants may do. */
export function describeScope(operation: Operation): JsonObject {
  const { scope, queryScopes } = operation
  if (scope === undefined) return {}
  return {
    'x-scope': scope,
    'x-reach': reachOf(operation),
    ...(queryScopes !== undefined && { 'x-query-scopes': queryScopes }),
  }
}

/** A paragraph of the description; null for operations that need no operator. */
export function scopeText(operation: Operation): string | null {
  const { scope, query, queryScopes = {} } = operation
  if (scope === undefined) return null
  const more = Object.entries(queryScopes).map(([name, also]) => {
    const parameter = query?.shape[name]
    const sent = parameter !== undefined && isParameterGroup(parameter) ? `${name}.…` : `${name}=true`
    return `; with \`${sent}\` also \`${also}\``
  })
  const needed = scope === 'any' ? 'none' : `\`${scope}\`${more.join('')}`
  return `**Scope**: ${needed}.${reachTexts[reachOf(operation)]}`
}

const reachTexts: Readonly<Record<Reach, string>> = {
  tenant: '',
  own: '',
  deployment: ' Not available to operators bound to tenants.',
  tenantQuery: ' Operators bound to tenants must name one of them in `tenantId`.',
}
