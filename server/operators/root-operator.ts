import type { Operator } from './operator.ts'

/** Who the root key acts as. */
export const rootOperator: Operator = { id: 'root', name: 'root', scopes: ['*'], tenantIds: null, expiresAt: null }
