import type { DeliveryMethod } from '../../contract/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

/** What features know of delivery: whether it can be done, and that there is something to do. */
export interface Delivery {
  /** Whether the tenant has a sender of this method and, in every environment, allows messages to this recipient. */
  canDeliver(method: DeliveryMethod, recipient: string, tenant: TenantSnapshot): boolean
  /** A message was queued: look soon. Never waits, never throws; a missed wake costs a poll interval, not a message. */
  wake(): void
}
