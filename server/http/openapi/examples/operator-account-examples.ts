import type { Operations } from '../../../../contract/operations.ts'
import { ids, now } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const id = ids.operator
const grants = {
  scopes: ['tenants:read', 'schema:read', 'users:write', 'profiles:write', 'sessions:write', 'messages:write'] as const,
  tenantIds: [ids.tenant],
  expiresAt: '2026-12-31T23:59:59.000Z',
}

const operator = {
  ...{ id, name: 'Support', email: 'support@example.com', ...grants, scopes: [...grants.scopes] },
  ...{ createdBy: 'root', createdAt: now, revokedAt: null, lastUsedAt: '2026-01-31T12:04:00.000Z' },
}
const key = `op_${id}_EXAMPLE`
const { tenantIds, expiresAt } = grants

type Names = Exclude<
  {
    [Name in keyof Operations]: Operations[Name]['path'] extends `/admin/operators${string}` | '/admin/me'
      ? Name
      : never
  }[keyof Operations],
  never
>

/** Examples of the operations on operators. */
export const operatorAccountExamples: { readonly [Name in Names]: ExamplesOf<Operations[Name]> } = {
  createOperator: {
    bodies: {
      role: { name: 'Support', email: 'support@example.com', role: 'support', tenantIds, expiresAt },
      scopes: { name: 'Metrics', scopes: ['system:read'] },
    },
    answers: { created: { ...operator, lastUsedAt: null, key } },
  },
  listOperators: { answers: { page: { items: [operator], nextCursor: null } } },
  getOperator: { answers: { operator } },
  updateOperator: {
    bodies: { scopes: { scopes: ['users:read'] }, unbind: { tenantIds: null } },
    answers: { updated: { ...operator, scopes: ['users:read'] } },
  },
  revokeOperator: {},
  rotateOperatorKey: { bodies: { overlap: { overlapHours: 24 } }, answers: { rotated: { ...operator, key } } },
  getCurrentOperator: {
    answers: { operator: { operator: { id, name: 'Support', scopes: [...grants.scopes], tenantIds, expiresAt } } },
  },
}
