import type { StoredOperator } from '../../server/operators/operator.ts'
import { issueOperatorKey } from '../../server/operators/operator-key.ts'
import type { TestService } from './service.ts'

/** Stores an operator without asking the API whether it may exist, and returns their key. */
export async function storeOperator(
  { service, clock }: Pick<TestService, 'service' | 'clock'>,
  given: Partial<StoredOperator> & Pick<StoredOperator, 'scopes'>,
): Promise<{ id: string; key: string }> {
  const { id, text, secretHash } = issueOperatorKey(clock.now())
  await service.services.storage.system.operators.add({
    ...{ id, secretHash, name: 'Operator', email: null, previousHash: null, previousUntil: null, tenantIds: null },
    ...{ createdBy: 'root', createdAt: clock.now(), expiresAt: null, revokedAt: null, lastUsedAt: null },
    ...given,
  })
  return { id, key: text }
}
