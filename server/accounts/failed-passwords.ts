import type { TenantCall } from '../core/handler.ts'
import type { Budgets } from '../limits/budgets.ts'
import { networkOf } from '../limits/client-address.ts'
import { knownNetworkMs } from '../limits/known-networks.ts'
import { type FailureBudget, failuresElsewhere, failuresFrom } from '../passwords/failure-budgets.ts'

/** The account a password is tried for. */
export interface GuessedAccount {
  /** The same for every try, and known before it is known whether there is such an account: the e-mail address. */
  readonly name: string
  /** null when there is none. */
  readonly userId: string | null
}

/**
 * Compares a password under the budgets of failed ones. Per account and network the wait grows with the failures; per
 * account from everywhere else too, except from networks where the account had a session in the last 30 days: so many
 * guessers in many networks are slowed, and none of them can lock the owner out (OWASP Authentication Cheat
 * Sheet). A confirmed password reset clears the budgets.
 * @param compare gives null for a wrong password; when it throws, nothing was compared and nothing counts
 * @throws TOO_MANY_REQUESTS before anything is compared
 */
export async function withFailureBudgets<T>(
  { name: email, userId }: GuessedAccount,
  { now, tenantId, address, storage }: TenantCall,
  budgets: Budgets,
  compare: () => Promise<T | null>,
): Promise<T | null> {
  const network = networkOf(address)
  const account = { tenantId, email }
  const isKnown = await storage.sessions.isKnownNetwork(userId ?? '', network, now - knownNetworkMs)
  const rungs = [...failuresFrom(account, network), ...(isKnown ? [] : failuresElsewhere(account))]
  const giveBack = async (taken: readonly FailureBudget[]) => {
    for (const { name, subject } of taken) await budgets.giveBack(name, subject, now)
  }

  for (const [index, { name, subject }] of rungs.entries()) {
    try {
      await budgets.take(name, subject, now)
    } catch (error) {
      await giveBack(rungs.slice(0, index))
      throw error
    }
  }
  try {
    const result = await compare()
    if (result !== null) await giveBack(rungs)
    return result
  } catch (error) {
    await giveBack(rungs)
    throw error
  }
}
