import type { UserCall } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Budgets } from '../limits/budgets.ts'

/**
 * Hashes for a password change within the budget of the account: each change sends a notice, and a stolen access token
 * must not flood its owner. An attempt with a wrong current password counts. One that the failure budgets or a busy
 * hasher refuse does not.
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

/**
 * Adds a sign-in method within the budget of the account: each sends notices, by SMS too, and so does removing it again.
 * An addition that is refused or changes nothing does not count. Removing has no budget: an owner can always remove what
 * a thief has added.
 * @throws TOO_MANY_REQUESTS before anything is hashed
 */
export async function withAdditionBudget<T extends { readonly isAdded: boolean }>(
  { now, tenantId, user }: UserCall,
  budgets: Budgets,
  add: () => Promise<T>,
): Promise<T> {
  const subject = `${tenantId} ${user.id}`
  await budgets.take('identity-additions', subject, now)
  let isAdded = false
  try {
    const result = await add()
    isAdded = result.isAdded
    return result
  } finally {
    if (!isAdded) await budgets.giveBack('identity-additions', subject, now)
  }
}
