import type { DeliveryMethod, OtpScope } from '../../contract/accounts/otp.ts'
import type { NoticeKind } from '../../contract/tenants/delivery-templates.ts'

/** `otp`: a message with the code of a one-time password. Otherwise a notice about a change of the account. */
export type MessageKind = 'otp' | NoticeKind

/** queued → sending → sent | failed; cancelled when its one-time password is no longer pending before it is sent. */
export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'

/** The right of one process to send a message: no other process sends it before the lease expires. */
export interface Lease {
  /** Identifies the process. */
  readonly owner: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** The message of a one-time password, whose row has the other fields; created by `Delivery.newMessage`. */
export interface NewMessage {
  readonly id: string
  /** The lease it is stored with: the process that stores it sends it. null: it is queued for any process. */
  readonly lease: Lease | null
}

/** A security notice; created by `noticeFor`. Always queued. */
export interface NewNotice {
  readonly id: string
  readonly kind: NoticeKind
  /** The one-time password of scope `address_recovery` that is its undo code; null for a notice without one. */
  readonly otpId: string | null
  /** null for a notice that outlives its user. */
  readonly userId: string | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly locale: string | null
  readonly createdAt: number
  /** Not sent after this time, in epoch milliseconds. */
  readonly expiresAt: number
}

/** A message as the operator sees it, without its content. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  readonly otpId: string | null
  readonly scope: OtpScope | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly locale: string | null
  readonly state: MessageState
  /** Attempts since it was queued or last retried by the operator. */
  readonly attempts: number
  /** Why the last attempt failed. Contains no code. */
  readonly lastError: string | null
  readonly createdAt: number
  /** Epoch milliseconds; null unless it is queued. */
  readonly nextAttemptAt: number | null
  readonly expiresAt: number
  readonly settledAt: number | null
  /** The name of the sender that accepted it. */
  readonly sender: string | null
}

/** Every given field must match. */
export interface MessageFilter {
  readonly state?: MessageState
  readonly recipient?: string
  readonly otpId?: string
}

/**
 * How many messages wait and failed. Waiting ones are counted among the first 20,000 of the deployment and failed ones among
 * the tenant's latest 20,000 that were not sent, so that a long queue does not slow it down.
 */
export interface MessageCounts {
  readonly queued: number
  readonly sending: number
  /** When the oldest message that is queued or being sent was created; null when there is none. */
  readonly oldest: number | null
  readonly failed24h: number
}

/** Whether a retry was applied, and the message after it; null for an unknown message. */
export interface RetryOutcome {
  readonly applied: boolean
  readonly message: Message | null
}

/** The messages of one tenant. */
export interface MessageStore {
  notify(notice: NewNotice): Promise<void>
  /** The state of the latest message of a one-time password. */
  latestOf(otpId: string): Promise<MessageState | null>
  find(id: string): Promise<Message | null>
  /** Newest first; `cursor` is the id of the last message of the previous page. */
  list(request: MessageFilter & { readonly limit: number; readonly cursor: string | null }): Promise<Message[]>
  /** The stored messages about a user, oldest first. */
  listOf(userId: string): Promise<Message[]>
  /** The messages that wait, and those created since that failed. */
  count(since: number): Promise<MessageCounts>
  /** Erases the recipients of messages about a deleted user. */
  forgetRecipients(userId: string): Promise<void>
  /**
   * Removes posted messages from the testing channel's inbox, with what they said.
   * @returns how many had a place after `after` and up to `until`
   */
  clearPosted(after: number, until: number): Promise<number>
  /**
   * Queues a failed message for immediate sending and resets its attempts. Applied only if it has not expired and still
   * has a recipient, and to the message of a one-time password only while that is pending. A notice whose undo code is no
   * longer pending is sent without it.
   */
  retry(id: string, now: number): Promise<RetryOutcome>
}
