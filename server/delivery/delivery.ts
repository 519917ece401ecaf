import type { DeliveryMethod } from '../../contract/otp.ts'

/** What features know of delivery: whether it can be done, and that there is something to do. */
export interface Delivery {
  /** Whether some sender takes messages of this method. */
  canDeliver(method: DeliveryMethod): boolean
  /** A message was queued: look soon. Never waits, never throws; a missed wake costs a poll interval, not a message. */
  wake(): void
}
