import { randomBytes } from 'node:crypto'
import type { recoverAccount as operation } from '../../../contract/accounts/account-addresses.ts'
import type { Call, TenantCall } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import type { Fact } from '../../events/event.ts'
import { asUser } from '../../events/subjects.ts'
import { compareCode, requireApplied } from '../../otp/compare-code.ts'
import { type Otp, recoveryScope } from '../../otp/otp.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../storage/storage.ts'
import { passwordChanged } from '../account-events.ts'
import { ageOf, endAttempts, oldestOf } from '../end-attempts.ts'
import { notifyUser } from '../notify-user.ts'
import { removePassword } from '../remove-password.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { addressOf } from '../sign-in/otp-proof.ts'
import type { Address, User } from '../user.ts'
import { isProven, kindOf, otherKind, registered, verifiedAt, verifiedField } from './address.ts'
import { findHolder } from './address-owner.ts'
import { releaseAddress } from './first-proof.ts'
import { recordRecovery } from './recovery-events.ts'

/**
 * `POST /account/recover` (ACCOUNT-4): the code in a notice restores the address that was changed or removed, once.
 * Everything that may be the attacker's goes: sessions, live one-time passwords, later and younger undo codes, and
 * whatever was added to the account since the change.
 */
export const recoverAccount: Handler<typeof operation> = async ({ body: { id, code } }, call, services) => {
  const { now, storage } = call
  const given = { id, scope: recoveryScope, code }
  const { otp, isRight } = await storage.write((tx) => compareCode(tx, given, call, services.keyring))
  if (!isRight) throw call.refuse('OTP_INVALID_CODE')
  // Hashed outside the transaction; most recoveries do not use it.
  const unknownPassword = await services.hasher.hash(randomBytes(32).toString('base64'), call)
  await storage.write(async (tx) => {
    const user = otp.userId === null ? null : await tx.users.lock(otp.userId)
    requireApplied(await tx.otps.verify(otp, now), call)
    await tx.otps.consume(id, recoveryScope, now, services.clock.now())
    if (user === null) throw call.refuse('OTP_NOT_FOUND')
    await restore(tx, user, otp, { unknownPassword, call, services })
  })
  return { success: true }
}

interface Restoring {
  readonly unknownPassword: string
  readonly call: Call<typeof operation>
  readonly services: Services
}

async function restore(tx: Tx, user: User, otp: Otp, { unknownPassword, call, services }: Restoring): Promise<void> {
  const { now, snapshot } = call
  const { id } = user
  const address = addressOf(otp)
  const [kind, other] = [kindOf(address), otherKind(kindOf(address))]
  const changedAt = otp.createdAt
  const otherProvenAt = verifiedAt(user, other)
  const isOtherNewer = otherProvenAt !== null && otherProvenAt >= changedAt

  await freeAddress(tx, id, address, call, services)
  // Its age decides which undo codes stay.
  const restoredAt = await ageOf(tx, id, address, now)
  if (!(await tx.users.setAddress(id, address, now, restoredAt))) throw call.refuse(registered[kind])
  const withAddress = { ...user, ...address, ...verifiedField(kind, restoredAt) }
  const ofPassword = await restorePassword(tx, withAddress, otp, unknownPassword, now)
  if (isOtherNewer) await tx.users.removeAddress(id, other, now)
  const removed = (await tx.identities.listOf(id)).filter(({ createdAt }) => createdAt >= changedAt)
  for (const identity of removed) await tx.identities.remove(id, identity.id)
  const restored = { ...withAddress, ...(isOtherNewer && verifiedField(other, null)) }
  // Where the restored address cannot sign in, the user needs the code of one that was lost later.
  const notOlderThan = Math.min(oldestOf(restored, snapshot), changedAt)
  // In this order, and together: on PostgreSQL each would be a round trip.
  await Promise.all([
    endSessionsOf(tx, id, call, services.counts, { reason: 'recovered', actor: asUser(id) }),
    // The networks of those sessions may be the attacker's.
    tx.sessions.forgetDevices(id),
    tx.otps.cancelLive(id, now),
    tx.undoCodes.cancel(id, { madeSince: changedAt, notOlderThan }, now),
    endAttempts(tx, restored, snapshot, services.clock, kind),
  ])

  await recordRecovery(tx, call, { user, otp, ofPassword, isOtherNewer, removed })
  // To the other address if it stays, and not to the one that was replaced.
  await notifyUser(tx, { ...restored, ...verifiedField(kind, null) }, `${kind}_changed`, call, services)
}

/** Another account may have claimed the address since, without verifying it: it loses the claim. */
async function freeAddress(
  tx: Tx,
  userId: string,
  address: Address,
  call: TenantCall,
  services: Services,
): Promise<void> {
  const holder = await findHolder(tx, address)
  if (holder !== null && holder.id !== userId && !isProven(holder, address)) {
    await releaseAddress(tx, holder, address, call, services)
  }
}

/**
 * Removes a password that was added since the change. Replaces one that was changed or removed since with a random
 * password, if the account has an e-mail address: it still has a password, and its owner resets it.
 * @returns what to record
 */
async function restorePassword(
  tx: Tx,
  user: User,
  otp: Otp,
  unknownPassword: string,
  now: number,
): Promise<readonly Fact[]> {
  const isReplaced = user.passwordChangedAt !== null && user.passwordChangedAt >= otp.createdAt
  if (otp.hadPassword === true && user.hasPassword && !isReplaced) return []
  // Without an e-mail address a password does not sign in, and its owner could neither reset nor replace it.
  if (otp.hadPassword !== true || user.email === null)
    return user.hasPassword ? removePassword(tx, user, { withClaim: true }, now) : []
  return (await tx.users.setPassword(user.id, null, unknownPassword, now)) ? [passwordChanged(user.id)] : []
}
