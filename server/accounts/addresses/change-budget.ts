import type { BudgetName } from '../../../contract/limits.ts'
import type { TenantCall, UserCall } from '../../core/call.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Budgets } from '../../limits/budgets.ts'

/**
 * Hashes for a password change within the budget of the account: each change sends a notice, and a stolen access token
 * must not flood its owner. An attempt with a wrong current password counts. One that the failure budgets or a busy
 * hasher refuse does not.
 * @throws TOO_MANY_REQUESTS before anything is hashed
 */
export const withChangeBudget = <T>(call: UserCall, budgets: Budgets, hash: () => Promise<T>): Promise<T> =>
  within('password-changes', call, budgets, hash, (hashed) => hashed.status === 'fulfilled' || isWrong(hashed.reason))

const isWrong = (error: unknown) => error instanceof ServiceError && error.code === 'INVALID_CREDENTIALS'

/**
 * Adds a sign-in method within the budget of the account: each sends notices, by SMS too, and so does removing it again.
 * An addition that is refused or changes nothing does not count. Removing has no budget: an owner can always remove what
 * a thief has added.
 * @throws TOO_MANY_REQUESTS before anything is hashed
 */
export const withAdditionBudget = <T extends { readonly isAdded: boolean }>(
  call: UserCall,
  budgets: Budgets,
  add: () => Promise<T>,
): Promise<T> =>
  within('identity-additions', call, budgets, add, (added) => added.status === 'fulfilled' && added.value.isAdded)

/**
 * Sends a code to a new address within the same budget: each change of address sends notices to all others. One that is
 * refused does not count.
 * @throws TOO_MANY_REQUESTS before anything is sent
 */
export const withAddressBudget = <T>(call: UserCall, budgets: Budgets, send: () => Promise<T>): Promise<T> =>
  within('identity-additions', call, budgets, send, ({ status }) => status === 'fulfilled')

/**
 * Links an account at a provider by its address at a sign-in, within a budget: it sends notices, too, and its owner can
 * remove it again. Counted apart, because a thief must not refuse a sign-in to the owner of the address.
 * @throws TOO_MANY_REQUESTS before anything is linked
 */
export const withLinkBudget = <T>(
  { now, tenantId }: Pick<TenantCall, 'now' | 'tenantId'>,
  userId: string,
  budgets: Budgets,
  link: () => Promise<T>,
): Promise<T> =>
  within(
    'provider-links',
    { now, tenantId, user: { id: userId } },
    budgets,
    link,
    ({ status }) => status === 'fulfilled',
  )

/** Takes one from a budget of the account, and gives it back if the outcome of the work does not count. */
async function within<T>(
  budget: BudgetName,
  { now, tenantId, user }: Pick<UserCall, 'now' | 'tenantId'> & { readonly user: { readonly id: string } },
  budgets: Budgets,
  work: () => Promise<T>,
  counts: (outcome: PromiseSettledResult<T>) => boolean,
): Promise<T> {
  const subject = `${tenantId} ${user.id}`
  await budgets.take(budget, subject, now)
  const [outcome] = await Promise.allSettled([work()])
  if (!counts(outcome)) await budgets.giveBack(budget, subject, now)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
