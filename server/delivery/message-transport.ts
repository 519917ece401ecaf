import type { SenderAttempt } from '../../contract/admin-delivery.ts'
import type { DeliveryMethod } from '../../contract/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { InboxEntry } from './inbox.ts'
import type { ClaimedMessage } from './outbox.ts'
import type { RenderedMessage } from './provider.ts'

/** One message to deliver. */
export interface DeliveryJob {
  readonly message: ClaimedMessage
  /** null for a message without a code. Never logged, never stored in plain text. */
  readonly code: string | null
  readonly rendered: RenderedMessage
  readonly tenant: TenantSnapshot
}

/** What to record about a delivered message. */
export interface DeliveryReceipt {
  /** The name of the sender that accepted it. */
  readonly sender?: string
  /** Stored in the same transaction that marks the message as sent. */
  readonly inboxEntry?: InboxEntry
}

/** What came of a test message. */
export interface Probed {
  /** Every sender tried, in the order of preference. */
  readonly attempts: readonly SenderAttempt[]
  /** Why none was, in plain words. */
  readonly problem: string | null
}

/** Takes messages to their recipients: the testing channel outside production, real senders in it. */
export interface MessageTransport {
  /** Whether the tenant has a sender of this method. Where SMS may go is checked before a message gets here. */
  canDeliver(method: DeliveryMethod, tenant: TenantSnapshot): boolean
  /**
   * Resolves when the message is taken. Rejects with `PermanentFailure` when no sender ever will, with
   * `TemporaryFailure` or anything else to have it tried again.
   * @param signal fires when the service stops and waits no longer
   */
  deliver(job: DeliveryJob, now: number, signal?: AbortSignal): Promise<DeliveryReceipt>
  /**
   * For the operator: a real message through each of the tenant's senders, or through the one of that name, past their
   * breakers and none counted against them. Absent where messages reach no sender.
   */
  probe?(rendered: RenderedMessage, tenant: TenantSnapshot, sender: string | null, now: number): Promise<Probed>
  /** Senders of a method whose circuit is open, all tenants' and the deployment's together. */
  openCircuits?(method: DeliveryMethod): number
  close?(): Promise<void>
}
