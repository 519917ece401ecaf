import type { NoticeKind } from '../../contract/tenants/delivery-templates.ts'
import { ulid } from '../core/ids.ts'
import type { NewNotice } from './message.ts'

/** The recipient of a notice. `locale` as returned by `chooseLocale`. */
interface NoticeTo {
  readonly userId: string
  readonly deliveryMethod: NewNotice['deliveryMethod']
  readonly recipient: string
  readonly locale: string | null
  /**
   * The undo code in the notice: the id of a pending one-time password of scope `address_recovery`, issued to this
   * recipient. Only for `email_changed` and `phone_changed`.
   */
  readonly otpId?: string
}

/** How long a change of address can be undone: 72 hours. */
export const undoSeconds = 72 * 3_600

/** Digits of an undo code. Independent of the tenant's code length, because an undo code is valid for longer. */
export const undoCodeLength = 8

/** One day: a later security notice comes too late to help. */
const noticeLifeMs = 86_400_000

/**
 * Creates a notice to queue with `messages.notify`, in the transaction of the change that it reports.
 *
 * It expires with its undo code, or after one day. A notice of `account_deleted` does not refer to its user, because
 * deleting a user cancels the user's unsent messages. Its recipient is erased after delivery.
 */
export const noticeFor = (
  kind: NoticeKind,
  { userId, deliveryMethod, recipient, locale, otpId }: NoticeTo,
  now: number,
): NewNotice => ({
  id: ulid(now),
  kind,
  otpId: otpId ?? null,
  userId: kind === 'account_deleted' ? null : userId,
  deliveryMethod,
  recipient,
  locale,
  createdAt: now,
  expiresAt: now + (otpId === undefined ? noticeLifeMs : undoSeconds * 1000),
})
