import type { NoticeKind } from '../../contract/delivery-templates.ts'
import type { DeliveryMethod, OtpScope } from '../../contract/otp.ts'

/** What a message is about: the code of an OTP, or a change of the account. */
export type MessageKind = 'otp' | NoticeKind

/**
 * A row of the outbox: that something is to be sent, never the code itself (design 8).
 * queued → sending → sent | failed; cancelled when its OTP left `pending` before it was sent.
 */
export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'

/** What a feature hands over for an OTP's message; all else comes from the OTP's row. */
export interface NewMessage {
  readonly id: string
}

/** A security notice; `noticeFor` makes it. */
export interface NewNotice extends NewMessage {
  readonly kind: NoticeKind
  /** The undo code it carries, a one-time password of scope `address_recovery`; null for a notice without one. */
  readonly otpId: string | null
  /** null for a notice that outlives its user. */
  readonly userId: string | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly locale: string | null
  readonly createdAt: number
  /** Epoch milliseconds past which sending it makes no sense any more. */
  readonly expiresAt: number
}

/** A message as the operator sees it: everything but what it says. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  readonly otpId: string | null
  readonly scope: OtpScope | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly locale: string | null
  readonly state: MessageState
  /** Since it was queued, or since the operator's last retry. */
  readonly attempts: number
  /** Why the last attempt failed, in plain words. */
  readonly lastError: string | null
  readonly createdAt: number
  /** Epoch milliseconds; null unless it is queued. */
  readonly nextAttemptAt: number | null
  readonly expiresAt: number
  readonly settledAt: number | null
  /** The name of who took it. */
  readonly sender: string | null
}

/** Which messages are asked for; all of what is given must fit. */
export interface MessageFilter {
  readonly state?: MessageState
  readonly recipient?: string
  readonly otpId?: string
}

/** What became of a retry: applied or not, and the message as it is then; null when there is none. */
export interface RetryOutcome {
  readonly applied: boolean
  readonly message: Message | null
}

/** One tenant's outgoing messages. */
export interface MessageStore {
  notify(notice: NewNotice): Promise<void>
  /** The state of the latest message of an OTP. */
  latestOf(otpId: string): Promise<MessageState | null>
  find(id: string): Promise<Message | null>
  /** Newest first; `cursor` is the id of the last one seen. */
  list(request: MessageFilter & { readonly limit: number; readonly cursor: string | null }): Promise<Message[]>
  /** Those about a user that are still kept, oldest first. */
  listOf(userId: string): Promise<Message[]>
  /** Forgets where those about a deleted user went or were to go. */
  forgetRecipients(userId: string): Promise<void>
  /**
   * Queues a failed message again, due at once and with its attempts counted from zero. Only while it has not expired and
   * still has a recipient; an OTP's message only while the OTP is pending. A notice is sent without an undo code that is
   * no longer pending.
   */
  retry(id: string, now: number): Promise<RetryOutcome>
}
