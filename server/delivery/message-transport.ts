import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { InboxEntry } from './inbox.ts'
import type { ClaimedMessage } from './outbox.ts'
import type { ProviderState, RenderedMessage } from './provider.ts'

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

/** Takes messages to their recipients: through providers in production, into the testing channel elsewhere. */
export interface MessageTransport {
  /** Whether anything can send messages of this method for the tenant. */
  canDeliver(method: DeliveryMethod, tenant: TenantSnapshot): boolean
  /**
   * Resolves when the message is accepted. Rejects with `PermanentFailure` when a retry cannot succeed; after any other
   * error the message is tried again.
   * @param signal aborts when the service shuts down and waits no longer
   */
  deliver(job: DeliveryJob, now: number, signal?: AbortSignal): Promise<DeliveryReceipt>
  /** The number of providers of a method whose circuit is open, over all tenants and the deployment. */
  openCircuits?(method: DeliveryMethod): number
  /** The providers that send for the tenant, as this process sees them; none where messages are not sent. */
  providerStates?(tenant: TenantSnapshot): readonly ProviderState[]
  close?(): Promise<void>
}
