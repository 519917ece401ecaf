import type { DeliveryMethod } from '../../contract/otp.ts'
import type { ClaimedMessage, InboxEntry } from './message.ts'

/** A message ready to go. */
export interface OutgoingMessage {
  readonly message: ClaimedMessage
  /** null for notices. Never to be logged or stored in clear. */
  readonly code: string | null
  readonly text: string
}

/** Takes messages to their recipients: the testing channel outside production, real senders in it. */
export interface Courier {
  canDeliver(method: DeliveryMethod): boolean
  /**
   * Resolves when the message is delivered; rejects to have it tried again.
   * @returns an inbox entry to store in the same act that marks the message sent, if that is how it is delivered.
   */
  deliver(outgoing: OutgoingMessage, now: number): Promise<InboxEntry | null>
}
