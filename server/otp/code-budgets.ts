import type { Budgets } from '../limits/budgets.ts'
import { networkOf } from '../limits/client-address.ts'

/** A recipient of codes, as the budgets see one. */
export interface CodeRecipient {
  readonly tenantId: string
  readonly recipient: string
}

const subjectOf = ({ tenantId, recipient }: CodeRecipient): string => `${tenantId} ${recipient}`
const networkSubjectOf = (to: CodeRecipient, address: string): string => `${subjectOf(to)} ${networkOf(address)}`

/**
 * Takes one new code from the recipient's budget. Wrong codes of the past count against new codes only: a one-time
 * password already issued keeps working, so nobody can lock a recipient out of it (design 4, threats C10, C27, C28).
 * @throws TOO_MANY_REQUESTS
 */
export async function takeNewCode(budgets: Budgets, to: CodeRecipient, address: string, now: number): Promise<void> {
  await budgets.require('wrong-codes-per-network', networkSubjectOf(to, address), now)
  await budgets.require('wrong-codes-per-recipient', subjectOf(to), now)
  await budgets.take('codes-per-recipient', subjectOf(to), now)
}

/** Notes a wrong code against the recipient and the network it came from. */
export async function noteWrongCode(budgets: Budgets, to: CodeRecipient, address: string, now: number): Promise<void> {
  await budgets.spend('wrong-codes-per-network', networkSubjectOf(to, address), now)
  await budgets.spend('wrong-codes-per-recipient', subjectOf(to), now)
}
