import { randomBytes } from 'node:crypto'
import type { recoverAccount as operation } from '../../contract/account.ts'
import type { Call, Handler, TenantCall } from '../core/handler.ts'
import type { Fact } from '../events/event.ts'
import { compareCode, requireApplied } from '../otp/compare-code.ts'
import { type Otp, recoveryScope } from '../otp/otp.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../storage/storage.ts'
import { passwordChanged } from './account-events.ts'
import { isProven, kindOf, otherKind, registered, verifiedAt } from './address.ts'
import { findHolder } from './address-owner.ts'
import { ageOf, endAttempts, oldestOf } from './end-attempts.ts'
import { endSessionsOf } from './end-sessions.ts'
import { releaseAddress } from './first-proof.ts'
import { notifyUser } from './notify-user.ts'
import { addressOf } from './otp-proof.ts'
import { recordRecovery } from './recovery-events.ts'
import { removePassword } from './remove-password.ts'
import type { Address, User } from './user.ts'

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
    await tx.otps.consume(id, recoveryScope, now)
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
  const { now } = call
  const address = addressOf(otp)
  const changedAt = otp.createdAt
  await freeAddress(tx, user.id, address, call, services)
  const kind = kindOf(address)
  const other = otherKind(kind)
  const isEmail = kind === 'email'
  // Its age decides which undo codes stay.
  const restoredAt = await ageOf(tx, user.id, address, now)
  if (!(await tx.users.setAddress(user.id, address, now, restoredAt))) throw call.refuse(registered[kind])
  const otherProvenAt = verifiedAt(user, other)
  const isOtherNewer = otherProvenAt !== null && otherProvenAt >= changedAt
  const withAddress = isEmail ? { ...user, ...address, emailVerifiedAt: restoredAt } : user
  const ofPassword = await restorePassword(tx, withAddress, otp, unknownPassword, now)
  if (isOtherNewer) await tx.users.removeAddress(user.id, other, now)
  const added = (await tx.identities.listOf(user.id)).filter(({ createdAt }) => createdAt >= changedAt)
  for (const identity of added) await tx.identities.remove(user.id, identity.id)
  const sessions = await endSessionsOf(tx, user.id, call, services.counts)
  await recordRecovery(tx, call, { user, otp, ofPassword, isOtherNewer, removed: added, sessions })
  // The networks of those sessions may be the attacker's.
  await tx.sessions.forgetDevices(user.id)
  await tx.otps.cancelLive(user.id, now)
  const otherAt = isOtherNewer ? null : otherProvenAt
  const [emailVerifiedAt, phoneVerifiedAt] = isEmail ? [restoredAt, otherAt] : [otherAt, restoredAt]
  const restored = { id: user.id, emailVerifiedAt, phoneVerifiedAt }
  // Where the restored address cannot sign in, the user needs the code of one that was lost later.
  const notOlderThan = Math.min(oldestOf(restored, call.snapshot), changedAt)
  await tx.otps.cancelRecoveries(user.id, { madeSince: changedAt, notOlderThan }, now)
  await endAttempts(tx, restored, call.snapshot, now)
  await notifyUser(tx, withoutLost(user, isEmail, isOtherNewer), `${kind}_changed`, call, services)
}

/** Notices of the recovery go to the addresses that stay, not to those it removes. */
const withoutLost = (user: User, isEmail: boolean, isOtherNewer: boolean): User => ({
  ...user,
  ...((isEmail || isOtherNewer) && { email: null, emailVerifiedAt: null }),
  ...((!isEmail || isOtherNewer) && { phone: null, phoneVerifiedAt: null }),
})

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
