import { type Operation, reachOf } from '../../contract/operation.ts'
import { isParameterGroup } from '../../contract/parameter-group.ts'
import type { MissingGrant } from '../../contract/scope-names.ts'
import { isGranted, type Scope } from '../../contract/scopes.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Operator } from '../operators/operator.ts'

/** What a request names; parameters are as the client sent them. */
export interface NamedResources {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/**
 * Why an operator may not make a request; null when they may. A missing scope comes first: an operator without it learns
 * nothing about tenants. Another tenant is answered as an unknown one, so that ids are no oracle (CWE-204).
 */
export function refusalOfOperator(
  operation: Operation,
  { scopes, tenantIds }: Operator,
  { params, query }: NamedResources,
): ServiceError | null {
  for (const scope of scopesOf(operation, query)) {
    if (!isGranted(scopes, scope)) return insufficient(scope)
  }
  if (tenantIds === null) return null
  switch (reachOf(operation)) {
    case 'own':
      return null
    case 'deployment':
      return insufficient('all tenants')
    case 'tenant':
      return isOneOf(tenantIds, params['tenantId']) ? null : new ServiceError('TENANT_NOT_FOUND')
    case 'tenantQuery': {
      const tenantId = sentOnce(query['tenantId'])
      if (tenantId === null) return insufficient('all tenants')
      return isOneOf(tenantIds, tenantId) ? null : new ServiceError('TENANT_NOT_FOUND')
    }
  }
}

/** The scopes that a request needs. */
function scopesOf(operation: Operation, query: NamedResources['query']): Scope[] {
  const { scope, queryScopes = {} } = operation
  const also = Object.entries(queryScopes).filter(([name]) => asksFor(name, operation, query))
  return [...(scope === undefined || scope === 'any' ? [] : [scope]), ...also.map(([, needed]) => needed)]
}

/** Whether a query has `true` for a parameter, or any parameter of a group, even one that is refused afterwards. */
function asksFor(name: string, operation: Operation, query: NamedResources['query']): boolean {
  const parameter = operation.query?.shape[name]
  if (parameter === undefined || !isParameterGroup(parameter)) return sentOnce(query[name]) === 'true'
  return Object.keys(query).some((sent) => sent.startsWith(`${name}.`))
}

const insufficient = (missing: MissingGrant) => new ServiceError('INSUFFICIENT_SCOPE', { missing })

/** An empty or repeated parameter has no value here: it is refused afterwards. */
const sentOnce = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const isOneOf = (ids: readonly string[], id: unknown): boolean => ids.some((known) => known === id)
