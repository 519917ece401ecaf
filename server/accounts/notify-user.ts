import type { NoticeKind } from '../../contract/tenants/delivery-templates.ts'
import type { TenantCall } from '../core/call.ts'
import type { NewNotice } from '../delivery/message.ts'
import { noticeFor, undoCodeLength, undoSeconds } from '../delivery/notice.ts'
import { record } from '../events/record.ts'
import { asUser, aUser, otpReference } from '../events/subjects.ts'
import { type MessageContext, messageLocale } from '../otp/message-locale.ts'
import { newOtp } from '../otp/new-otp.ts'
import { type OtpPolicy, type Recipient, recoveryScope } from '../otp/otp.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../storage/storage.ts'
import type { AddressKind, User } from './user.ts'

/** The policy of a code that undoes a change of address: valid for 72 hours, five attempts, never resent. */
const undoPolicy: OtpPolicy = {
  length: undoCodeLength,
  ttlSeconds: undoSeconds,
  resendIntervalSeconds: 0,
  maxResends: 0,
  maxVerifyAttempts: 5,
}

/** Notices go to verified addresses only: an unverified one may belong to someone else. */
function verifiedAddresses({ email, emailVerifiedAt, phone, phoneVerifiedAt }: User): Recipient[] {
  return [
    ...(email !== null && emailVerifiedAt !== null ? [{ deliveryMethod: 'email', recipient: email } as const] : []),
    ...(phone !== null && phoneVerifiedAt !== null ? [{ deliveryMethod: 'sms', recipient: phone } as const] : []),
  ]
}

/**
 * The notices of a change, one for each verified address that the account had before.
 * @param before the user before the change, locked
 */
export async function noticesOf(
  tx: Tx,
  before: User,
  kind: NoticeKind,
  call: MessageContext,
  { delivery }: Services,
): Promise<NewNotice[]> {
  const locale = await messageLocale(before.id, call, undefined, tx)
  return verifiedAddresses(before)
    .filter(({ deliveryMethod, recipient }) => delivery.canDeliver(deliveryMethod, recipient, call.snapshot))
    .map((address) => noticeFor(kind, { ...address, userId: before.id, locale }, call.now))
}

/** Queues the notices of a change in its transaction. */
export async function notifyUser(
  tx: Tx,
  before: User,
  kind: NoticeKind,
  call: MessageContext,
  services: Services,
): Promise<void> {
  await queueNotices(tx, await noticesOf(tx, before, kind, call, services), services)
}

/** Queues notices. They are sent once the transaction is committed. */
export async function queueNotices(tx: Tx, notices: readonly NewNotice[], { delivery }: Services): Promise<void> {
  for (const notice of notices) await tx.messages.notify(notice)
  if (notices.length > 0) tx.onCommit(() => delivery.wake())
}

/**
 * Queues the notices of an address that was changed or removed. The notice to that address contains a code that
 * restores it (`POST /account/recover`), if the address was verified.
 */
export async function notifyAddressChange(
  tx: Tx,
  before: User,
  lost: AddressKind,
  call: TenantCall,
  services: Services,
): Promise<void> {
  const method = lost === 'email' ? 'email' : 'sms'
  for (const notice of await noticesOf(tx, before, `${lost}_changed`, call, services)) {
    if (notice.deliveryMethod !== method) await queueNotices(tx, [notice], services)
    else await notifyWithUndo(tx, before, notice, call, services)
  }
}

async function notifyWithUndo(
  tx: Tx,
  { id: userId, hasPassword, emailVerifiedAt, phoneVerifiedAt }: User,
  { kind, deliveryMethod, recipient, locale }: NewNotice,
  call: TenantCall,
  services: Services,
): Promise<void> {
  const { now, tenantId } = call
  const to = { userId, deliveryMethod, recipient, locale }
  const addressVerifiedAt = deliveryMethod === 'email' ? emailVerifiedAt : phoneVerifiedAt
  const undo = newOtp(
    { ...to, tenantId, scope: recoveryScope, decoy: false, hadPassword: hasPassword, addressVerifiedAt },
    undoPolicy,
    services.keyring,
    now,
  )
  await tx.otps.add(undo)
  await queueNotices(tx, [noticeFor(kind, { ...to, otpId: undo.id }, now)], services)
  const by = { subject: aUser(userId), actor: asUser(userId) }
  await record(tx, call, { type: 'recovery.started', ...by, details: { otp: otpReference(undo.id) } })
}
