import type { NoticeKind } from '../../contract/delivery-templates.ts'
import { ulid } from '../core/ids.ts'
import type { NewNotice } from './message.ts'

/** Who is notified, and where. `locale` as `chooseLocale` returns it. */
export interface NoticeTo {
  readonly userId: string
  readonly deliveryMethod: NewNotice['deliveryMethod']
  readonly recipient: string
  readonly locale: string | null
  /**
   * The undo code that the notice carries: the id of a pending one-time password of scope `address_recovery`, issued to
   * this recipient. For `email_changed` and `phone_changed` only.
   */
  readonly otpId?: string
}

/** How long a change of address can be undone: 72 hours. */
export const undoSeconds = 72 * 3_600

/** Digits of an undo code, whatever length the tenant's other codes have: it is valid for longer. */
export const undoCodeLength = 8

/** One day. A later "was this you?" comes too late to help. */
const noticeLifeMs = 86_400_000

/**
 * A notice to queue with `messages.notify`, in the transaction of the change that it reports.
 *
 * With an undo code it is delivered for as long as the code is valid, otherwise for one day. A notice of
 * `account_deleted` does not refer to its user: deleting a user cancels every message that does and has not been sent
 * yet, and this one must still be sent. Its recipient is erased once it has been.
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
