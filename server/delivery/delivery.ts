import type { DeliveryMethod } from '../../contract/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

/** What features know of delivery: whether it can be done, and that there is something to do. */
export interface Delivery {
  /** Whether somebody takes messages to this recipient of the tenant; null asks for any. */
  canDeliver(method: DeliveryMethod, recipient: string | null, tenant: TenantSnapshot): boolean
  /** A message was queued: look soon. Never waits, never throws; a missed wake costs a poll interval, not a message. */
  wake(): void
}
