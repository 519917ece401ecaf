import type { DeliveryMethod, OtpScope } from '../../contract/accounts/otp.ts'
import type { QueuedEvent } from '../events/event.ts'
import type { InboxEntry } from './inbox.ts'
import type { MessageKind } from './message.ts'

/** A message leased to this process; no other process sends it before the lease expires. */
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
  /** Earlier attempts, including those of a process that crashed. */
  readonly attempts: number
  readonly createdAt: number
  readonly expiresAt: number
  /** The sealed code of its one-time password; null for a message without one and when it is no longer pending. */
  readonly sealedCode: string | null
}

/** The result of one delivery attempt; `retryAt` in epoch milliseconds. */
export type AttemptResult = Pick<ClaimedMessage, 'tenantId' | 'id'> & {
  /** Erases the recipient when the result is final. */
  readonly forgetRecipient?: boolean
} & (
    | {
        readonly state: 'sent'
        /** The name of the sender that accepted the message. */
        readonly sender?: string
        /** Stored in the same transaction as the result. */
        readonly inboxEntry?: InboxEntry
      }
    | { readonly state: 'cancelled' }
    | {
        readonly state: 'failed'
        readonly error: string
        /** Recorded with the result. */
        readonly event?: QueuedEvent | null
      }
    | { readonly state: 'queued'; readonly error: string; readonly retryAt: number }
  )

/** Which messages an outbox worker claims. */
export interface ClaimRequest {
  readonly owner: string
  /** Epoch milliseconds. */
  readonly now: number
  /** When the lease on the claimed messages expires, in epoch milliseconds. */
  readonly leaseUntil: number
  readonly batch: number
  /** Lanes (`lanes.ts`) to skip, because they have enough messages waiting. */
  readonly leaveOut?: readonly string[]
}

/** Messages that are queued or being sent. */
export interface OutboxDepth {
  readonly queued: number
  readonly sending: number
  /** When the oldest of them was created, in epoch milliseconds; null when there are none. */
  readonly oldest: number | null
}

/** The outbox of all tenants, for the outbox worker and the metrics. */
export interface Outbox {
  /**
   * Records the results of the owner's earlier claims and leases up to `batch` due messages to it, in one transaction. A
   * result is ignored when the owner no longer holds the message's lease.
   */
  recordAndClaim(results: readonly AttemptResult[], request: ClaimRequest): Promise<ClaimedMessage[]>
  /**
   * A leased message as it is stored now; null when the owner no longer holds its lease, as after its user was deleted.
   */
  readAgain(
    message: Pick<ClaimedMessage, 'tenantId' | 'id'>,
    owner: string,
    now: number,
  ): Promise<ClaimedMessage | null>
  /**
   * Makes every leased message due now, whichever owner holds the lease. Only safe when all other owners are known to be
   * stopped.
   * @returns the number of released messages
   */
  releaseAll(now: number): Promise<number>
  /** Counts at most `most` messages, so that a long outbox does not slow the query down. */
  depth(most: number): Promise<OutboxDepth>
}
