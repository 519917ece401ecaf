import type { DeliveryMethod } from '../../contract/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

/** Delivery as features use it: they queue messages in the storage and wake the outbox worker. */
export interface Delivery {
  /** Whether the tenant can send messages of this method and allows this recipient. */
  canDeliver(method: DeliveryMethod, recipient: string, tenant: TenantSnapshot): boolean
  /** Called after a message is queued. Returns immediately; without it, the message waits for the next poll. */
  wake(): void
}
