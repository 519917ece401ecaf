import type { TenantCall } from '../../core/call.ts'
import { networkOf } from '../../limits/address.ts'
import type { Budgets } from '../../limits/budgets.ts'
import { knownNetworkMs } from '../../limits/known-networks.ts'
import { type FailureBudget, failuresElsewhere, failuresFrom } from '../../passwords/failure-budgets.ts'

/** The account that a password attempt is for. */
interface GuessedAccount {
  /** The e-mail address: the same for every attempt, and known before the account is looked up. */
  readonly name: string
  /** null when no account has the address. */
  readonly userId: string | null
}

/**
 * Compares a password within the budgets of failed attempts. The wait grows with the failures per account and network,
 * and per account overall, except from networks where the account had a session in the last 30 days. This slows
 * guessing from many networks, and no attacker can lock the owner out (OWASP Authentication Cheat Sheet). A confirmed
 * password reset clears the budgets.
 * @param compare returns null for a wrong password; when it throws, nothing was compared and the attempt does not count
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
  const limits = [...failuresFrom(account, network), ...(isKnown ? [] : failuresElsewhere(account))]
  const giveBack = async (taken: readonly FailureBudget[]) => {
    for (const { name, subject } of taken) await budgets.giveBack(name, subject, now)
  }

  for (const [index, { name, subject }] of limits.entries()) {
    try {
      await budgets.take(name, subject, now)
    } catch (error) {
      await giveBack(limits.slice(0, index))
      throw error
    }
  }
  try {
    const result = await compare()
    if (result !== null) await giveBack(limits)
    return result
  } catch (error) {
    await giveBack(limits)
    throw error
  }
}
