import type { BudgetName } from '../../contract/limits.ts'
import type { TenantCall } from '../handler.ts'
import type { Budgets } from '../limits/budgets.ts'
import { networkOf } from '../limits/client-address.ts'

/** Each next one holds for longer: the more failures, the longer the wait. */
const perNetwork: readonly BudgetName[] = ['failed-passwords', 'failed-passwords-hourly', 'failed-passwords-daily']
const elsewhere: readonly BudgetName[] = ['failed-passwords-elsewhere', 'failed-passwords-elsewhere-daily']

/** The account a password is tried for. */
export interface GuessedAccount {
  /** The same for every try, and known before it is known whether there is such an account: the e-mail address. */
  readonly name: string
  /** null when there is none. */
  readonly userId: string | null
}

/**
 * Compares a password under the budgets of failed ones. Per account and network the wait grows with the failures; per
 * account from everywhere else too, except from networks where the account has a session: so many guessers in many
 * networks are slowed, and none of them can lock the owner out (design 4, OWASP Authentication Cheat Sheet).
 * @param compare gives null for a wrong password; when it throws, nothing was compared and nothing counts
 * @throws TOO_MANY_REQUESTS before anything is compared
 */
export async function countingFailures<T>(
  account: GuessedAccount,
  { now, tenant, address, storage }: TenantCall,
  budgets: Budgets,
  compare: () => Promise<T | null>,
): Promise<T | null> {
  const network = networkOf(address)
  const everywhere = `${tenant.tenant.id} ${account.name}`
  const isKnown = await storage.sessions.isKnownNetwork(account.userId ?? '', network, now)
  const rungs: Rung[] = [
    ...perNetwork.map((name) => ({ name, subject: `${everywhere} ${network}` })),
    ...(isKnown ? [] : elsewhere.map((name) => ({ name, subject: everywhere }))),
  ]
  const giveBack = async (taken: readonly Rung[]) => {
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

interface Rung {
  readonly name: BudgetName
  readonly subject: string
}
