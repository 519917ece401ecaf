import type { TenantCall } from '../core/call.ts'
import { networkOf } from '../limits/address.ts'
import type { Budgets, FallbackSubject } from '../limits/budgets.ts'
import { knownNetworkMs } from '../limits/known-networks.ts'
import type { Recipient, StoredOtpScope } from './otp.ts'

/** A recipient of codes. */
interface CodeRecipient extends Recipient {
  readonly scope: StoredOtpScope
}

/** What budgets are counted by. */
type BudgetContext = Pick<TenantCall, 'now' | 'tenantId' | 'storage' | 'address'>

/**
 * Takes one code from the recipient's budgets and sends it. Earlier wrong codes count against new codes only: a one-time
 * password that was issued stays usable. Budgets that others used up never refuse a network known for the recipient's user,
 * and sign-in codes never refuse a password reset.
 * @param send when it throws, no code was sent, and none is counted
 * @throws TOO_MANY_REQUESTS
 */
export async function withNewCode<T>(
  to: CodeRecipient,
  call: BudgetContext,
  budgets: Budgets,
  send: () => Promise<T>,
): Promise<T> {
  const { now } = call
  const { here, anywhere, known } = subjectsOf(to, call)
  await budgets.require('wrong-codes-per-network', here, now)
  await budgets.require('wrong-codes-per-recipient', anywhere, now, known)
  await budgets.take('codes-per-network', here, now)
  try {
    const counted = await budgets.take('codes-per-recipient', anywhere, now, known)
    try {
      return await send()
    } catch (error) {
      await budgets.giveBack('codes-per-recipient', counted, now)
      throw error
    }
  } catch (error) {
    await budgets.giveBack('codes-per-network', here, now)
    throw error
  }
}

/** Counts a wrong code against the recipient and the network it came from. */
export async function spendWrongCode(budgets: Budgets, to: CodeRecipient, call: TenantCall): Promise<void> {
  const { here, anywhere, known } = subjectsOf(to, call)
  await budgets.spend('wrong-codes-per-network', here, call.now)
  await budgets.spend('wrong-codes-per-recipient', anywhere, call.now, known)
}

interface Subjects {
  /** The recipient, from this network. */
  readonly here: string
  /** The recipient, from anywhere. */
  readonly anywhere: string
  /** The subject to count for once that budget is used up. */
  readonly known: FallbackSubject
}

function subjectsOf(to: CodeRecipient, call: BudgetContext): Subjects {
  const network = networkOf(call.address)
  const kind = to.scope === 'reset_password' ? 'reset' : 'code'
  const anywhere = `${call.tenantId} ${kind} ${to.recipient}`
  let found: Promise<string | null> | undefined
  return {
    here: `${anywhere} ${network}`,
    anywhere,
    known() {
      found ??= findKnown(anywhere, network, to, call)
      return found
    },
  }
}

/**
 * The subject of the network when it is known for the user with this address, else null. The user is looked up by the
 * address, not taken from the call, because a caller may send a code to another person. An address without a user takes
 * the same statements.
 */
async function findKnown(
  anywhere: string,
  network: string,
  { deliveryMethod, recipient }: CodeRecipient,
  { storage, now }: BudgetContext,
): Promise<string | null> {
  const isEmail = deliveryMethod === 'email'
  const user = isEmail
    ? ((await storage.users.findByEmail(recipient))?.user ?? null)
    : await storage.users.findByPhone(recipient)
  if (!(await storage.sessions.isKnownNetwork(user?.id ?? '', network, now - knownNetworkMs))) return null
  const verifiedAt = isEmail ? user?.emailVerifiedAt : user?.phoneVerifiedAt
  // An account at an unverified address may belong to an attacker, with sessions in any number of networks. They share
  // one more budget, so that they cannot flood the owner of the address.
  return verifiedAt == null ? `${anywhere} known` : `${anywhere} known ${network}`
}
