import type { Operation } from '../../contract/operation.ts'
import type { ConsoleSession } from '../core/call.ts'
import type { Operator } from '../operators/operator.ts'
import { isActive, operatorIn } from '../operators/operator.ts'
import { isOpen } from '../operators/operator-session.ts'
import { rootOperator } from '../operators/root-operator.ts'
import { type NamedResources, refusalOfOperator } from './authorise-operator.ts'
import type { CheckServices } from './check-services.ts'

/**
 * Whether an operator may still make a request that was checked before. It ends with the console session of the request,
 * with a revoked, expired or rotated key, and with a grant that no longer allows the request.
 */
export async function lastingRight(
  operation: Operation,
  named: NamedResources,
  { id }: Operator,
  session: ConsoleSession | null,
  { storage: { system }, clock }: Pick<CheckServices, 'storage' | 'clock'>,
): Promise<() => Promise<boolean>> {
  const isSessionOpen = async () => {
    if (session === null) return true
    const stored = await system.operatorSessions.find(session.id)
    return stored !== null && isOpen(stored, clock.now())
  }
  if (id === rootOperator.id) return isSessionOpen
  const atStart = await system.operators.find(id)
  return async () => {
    const stored = await system.operators.find(id)
    if (stored === null || !isActive(stored, clock.now()) || stored.secretHash !== atStart?.secretHash) return false
    return refusalOfOperator(operation, operatorIn(stored), named) === null && (await isSessionOpen())
  }
}
