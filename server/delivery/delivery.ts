import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { Lease, NewMessage } from './message.ts'
import type { ClaimedMessage } from './outbox.ts'

/**
 * Delivery as features use it. The message of a one-time password is created by `newMessage`, stored with it, and then
 * handed to `send`. Notices are queued in the storage; `wake` is called once that is committed.
 */
export interface Delivery {
  /** Whether the tenant can send messages of this method and allows this recipient. */
  canDeliver(method: DeliveryMethod, recipient: string, tenant: TenantSnapshot): boolean
  /** A message to store; leased to this process unless it has enough messages to send. */
  newMessage(tenantId: string, now: number): NewMessage
  /** Called after the message is stored with this lease. Returns immediately. */
  send(message: ClaimedMessage, lease: Lease | null): void
  /** Called after a message is queued. Returns immediately; without it, the message waits for the next poll. */
  wake(): void
}
