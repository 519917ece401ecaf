import type { UserCall } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Budgets } from '../limits/budgets.ts'

/**
 * Does the hashing of a password change under the account's budget: each change mails a notice, and a stolen access
 * token must not flood its owner. An attempt with a wrong current password counts; one that the failure budgets or a
 * busy hasher refuse does not.
 * @throws TOO_MANY_REQUESTS before anything is hashed
 */
export async function withChangeBudget<T>(
  { now, tenantId, user }: UserCall,
  budgets: Budgets,
  hash: () => Promise<T>,
): Promise<T> {
  const subject = `${tenantId} ${user.id}`
  await budgets.take('password-changes', subject, now)
  try {
    return await hash()
  } catch (error) {
    const isCompared = error instanceof ServiceError && error.code === 'INVALID_CREDENTIALS'
    if (!isCompared) await budgets.giveBack('password-changes', subject, now)
    throw error
  }
}
