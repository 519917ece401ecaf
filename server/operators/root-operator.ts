import type { Operator } from '../core/handler.ts'

/** Who the root key acts as. */
export const rootOperator: Operator = { id: 'root', name: 'root', scopes: ['*'], tenantIds: null, expiresAt: null }
