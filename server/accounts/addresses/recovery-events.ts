import type { Fact } from '../../events/event.ts'
import type { EventSource } from '../../events/record.ts'
import { record } from '../../events/record.ts'
import { asUser, aUser, otpReference } from '../../events/subjects.ts'
import type { Otp } from '../../otp/otp.ts'
import type { Tx } from '../../storage/storage.ts'
import { addressChange, addressRemoved } from '../account-events.ts'
import type { Identity } from '../identity.ts'
import type { User } from '../user.ts'

/** What a recovery did to an account. */
interface Recovery {
  /** The user before it. */
  readonly user: User
  /** The code that restored the address. */
  readonly otp: Otp
  /** What became of the password. */
  readonly ofPassword: readonly Fact[]
  /** Whether the other address was proven after the change, and so removed. */
  readonly isOtherNewer: boolean
  /** The identities that were added after the change. */
  readonly removed: readonly Identity[]
}

/** Records a recovery and everything that it removed; `endSessionsOf` records the sessions. */
export async function recordRecovery(
  tx: Tx,
  source: EventSource,
  { user, otp, ofPassword, isOtherNewer, removed }: Recovery,
): Promise<void> {
  const actor = asUser(user.id)
  const subject = aUser(user.id)
  const [kind, other] = otp.deliveryMethod === 'email' ? (['email', 'phone'] as const) : (['phone', 'email'] as const)
  await record(tx, source, {
    type: 'recovery.completed',
    subject,
    actor,
    details: { otp: otpReference(otp.id) },
    changes: addressChange(kind, user[kind], otp.recipient),
  })
  const withoutPassword = { ...user, hasPassword: user.hasPassword && ofPassword.length === 0 }
  const ofOther = isOtherNewer ? addressRemoved(withoutPassword, other) : []
  for (const fact of [...ofPassword, ...ofOther]) await record(tx, source, { ...fact, actor })
  for (const { id, provider } of removed) {
    await record(tx, source, { type: 'identity.removed', subject, actor, details: { provider, identity: id } })
  }
}
