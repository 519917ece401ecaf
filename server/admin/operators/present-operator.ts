import type { z } from 'zod'
import type * as operations from '../../../contract/admin/operators.ts'
import { optionalTimestamp, timestamp } from '../../../contract/envelope.ts'
import type { Operator, StoredOperator } from '../../operators/operator.ts'

/** Who a request comes from, as `GET /admin/me` answers it. */
export const presentCurrentOperator = (operator: Operator): z.input<typeof operations.CurrentOperator> => ({
  id: operator.id,
  name: operator.name,
  scopes: [...operator.scopes],
  tenantIds: operator.tenantIds && [...operator.tenantIds],
  expiresAt: optionalTimestamp(operator.expiresAt),
})

/** An operator without their key. */
export const presentOperator = (operator: StoredOperator): z.input<typeof operations.Operator> => ({
  ...presentCurrentOperator(operator),
  email: operator.email,
  createdBy: operator.createdBy,
  createdAt: timestamp(operator.createdAt),
  revokedAt: optionalTimestamp(operator.revokedAt),
  lastUsedAt: optionalTimestamp(operator.lastUsedAt),
})
