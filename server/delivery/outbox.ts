import type { DeliveryMethod, OtpScope } from '../../contract/otp.ts'
import type { InboxEntry } from './inbox.ts'
import type { MessageKind } from './message.ts'

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
