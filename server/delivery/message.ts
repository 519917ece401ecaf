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

/** A message under a lease: this process alone may send it until `leaseUntil`. */
export interface ClaimedMessage {
  readonly id: string
  readonly tenantId: string
  readonly kind: MessageKind
  readonly otpId: string | null
  readonly scope: OtpScope | null
  readonly userId: string | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly decoy: boolean
  readonly locale: string | null
  /** Attempts before this one, those of a process that died among them. */
  readonly attempts: number
  readonly createdAt: number
  readonly expiresAt: number
  /** The sealed code of its OTP; null when it has none, and once that OTP is no longer pending. */
  readonly sealedCode: string | null
}

/** How an attempt ended. `retryAt` in epoch milliseconds. */
export type Ending =
  | { readonly state: 'sent' /** Who took it. */; readonly sender?: string }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'queued'; readonly error: string; readonly retryAt: number }

/** How the attempt at a message ended. `forgetRecipient`: once it is settled, its recipient is erased. */
export type Settlement = Pick<ClaimedMessage, 'tenantId' | 'id'> & { readonly forgetRecipient?: boolean } & Ending

/** What an outbox worker reports: how its claims ended, and what is to be put into the inbox in the same act. */
export interface Settled {
  readonly settlements: readonly Settlement[]
  readonly deliveries: readonly InboxEntry[]
}

/** What an outbox worker asks for. */
export interface ClaimRequest {
  readonly owner: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Until when the claimed messages are this owner's alone. */
  readonly leaseUntil: number
  readonly batch: number
  /** Lanes (`lanes.ts`) that have enough waiting already; as many as there are. */
  readonly leaveOut?: readonly string[]
}

/** What is still to be sent. */
export interface OutboxDepth {
  readonly queued: number
  readonly sending: number
  /** When the oldest of it was queued, in epoch milliseconds; null when nothing is to be sent. */
  readonly oldest: number | null
}

/** The outbox across tenants, for the outbox worker and the metrics alone. */
export interface Outbox {
  /**
   * In one act: records how the owner's earlier claims ended (one whose lease passed to another is left alone), and
   * leases it up to `batch` messages that are due, by a guarded update.
   */
  settleAndClaim(settled: Settled, request: ClaimRequest): Promise<ClaimedMessage[]>
  /**
   * Makes every leased message due now, whoever holds it. Only for a process that knows every other owner to be dead.
   * @returns how many there were
   */
  releaseAll(now: number): Promise<number>
  /** When the next queued message is due, in epoch milliseconds; null when none is. */
  nextDue(): Promise<number | null>
  /** Of the first `most` that are due: a long outbox takes no longer to look at. */
  depth(most: number): Promise<OutboxDepth>
}

/** A message in the testing channel's inbox; `sealed` holds `{code, text}` under the keyring. */
export interface InboxEntry {
  readonly id: string
  readonly tenantId: string
  readonly otpId: string | null
  readonly scope: OtpScope | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly sealed: string
  readonly createdAt: number
}

/** Which messages of the testing channel are asked for. */
export interface InboxFilter {
  readonly tenantId?: string
  readonly otpId?: string
  readonly recipient?: string
}

/** An entry in the inbox. Places rise in the order in which entries can first be read, and none is given twice. */
export interface PostedEntry extends InboxEntry {
  readonly place: number
}

/** The testing channel's inbox. */
export interface Inbox {
  /** The latest `limit` that match, oldest first. */
  list(filter: InboxFilter, limit: number): Promise<InboxEntry[]>
  /** The first `limit` behind a place, whoever posted them. What is behind it once stays behind it: nothing slips in before. */
  after(place: number, limit: number): Promise<PostedEntry[]>
  /** Where an entry is; null when there is none with this id. */
  placeOf(id: string): Promise<number | null>
  /** Where the latest entry is or was; 0 before the first. */
  latestPlace(): Promise<number>
  /**
   * Has `told` called with what this process posts, once it is stored; what others post is found by asking alone. `told`
   * must not throw.
   * @returns ends it
   */
  watch(told: (posted: readonly InboxEntry[]) => void): () => void
}
