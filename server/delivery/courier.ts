import type { DeliveryMethod } from '../../contract/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { ClaimedMessage, InboxEntry } from './message.ts'
import type { OutboundMessage } from './sender.ts'

/** A message ready to go. */
export interface OutgoingMessage {
  readonly message: ClaimedMessage
  /** null for notices. Never to be logged or stored in clear. */
  readonly code: string | null
  /** What it says. */
  readonly words: OutboundMessage
  readonly tenant: TenantSnapshot
}

/** What is recorded of a delivery. */
export interface Delivered {
  /** Who took it. */
  readonly sender?: string
  /** Stored in the same act that marks the message sent, if that is how it is delivered. */
  readonly entry?: InboxEntry
}

/** Takes messages to their recipients: the testing channel outside production, real senders in it. */
export interface Courier {
  /** Whether somebody takes messages to this recipient; null asks for any. */
  canDeliver(method: DeliveryMethod, recipient: string | null, tenant: TenantSnapshot): boolean
  /**
   * Resolves when the message is taken. Rejects with `PermanentFailure` when no sender ever will, with
   * `TemporaryFailure` or anything else to have it tried again.
   */
  deliver(outgoing: OutgoingMessage, now: number): Promise<Delivered>
  close?(): Promise<void>
}
