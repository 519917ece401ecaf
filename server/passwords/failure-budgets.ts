import type { BudgetName } from '../../contract/limits.ts'
import type { Budgets } from '../limits/budgets.ts'

/** Each budget has a longer period than the previous one: the more failures, the longer the wait. */
const perNetwork: readonly BudgetName[] = ['failed-passwords', 'failed-passwords-hourly', 'failed-passwords-daily']
const elsewhere: readonly BudgetName[] = ['failed-passwords-elsewhere', 'failed-passwords-elsewhere-daily']

/** A budget of failed passwords, and the subject it counts. */
export interface FailureBudget {
  readonly name: BudgetName
  readonly subject: string
}

/** The account that a password was tried for, by e-mail address. The account need not exist. */
interface TriedAccount {
  readonly tenantId: string
  readonly email: string
}

const subjectOf = ({ tenantId, email }: TriedAccount): string => `${tenantId} ${email}`

/** The budgets of the account for one network. */
export const failuresFrom = (account: TriedAccount, network: string): FailureBudget[] =>
  perNetwork.map((name) => ({ name, subject: `${subjectOf(account)} ${network}` }))

/** The budgets that all networks unknown to the account share. */
export const failuresElsewhere = (account: TriedAccount): FailureBudget[] =>
  elsewhere.map((name) => ({ name, subject: subjectOf(account) }))

/** Clears the account's failures from unknown networks, and those from each of these networks. */
export async function clearFailures(
  account: TriedAccount,
  networks: Iterable<string>,
  budgets: Budgets,
  now: number,
): Promise<void> {
  const cleared = [...networks].flatMap((network) => failuresFrom(account, network))
  const all = [...failuresElsewhere(account), ...cleared]
  await Promise.all(all.map(({ name, subject }) => budgets.clear(name, subject, now)))
}
