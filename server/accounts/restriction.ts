import type { Capability, UserCapability } from '../../contract/capabilities.ts'
import { timestamp } from '../../contract/envelope.ts'

/** Why a user may do nothing at all, and until when in epoch milliseconds; null for never ending by itself. */
export interface Suspension {
  readonly reason: string | null
  readonly until: number | null
}

/** The same of one capability. */
export interface Restriction extends Suspension {
  readonly capability: UserCapability
}

interface Restricted {
  readonly restrictions: readonly Restriction[]
  readonly suspension: Suspension | null
}

/** Whether it has not ended by itself yet. */
export const isInForce = ({ until }: Suspension, now: number): boolean => until === null || now < until

/** Whether the user may do nothing at all now. */
export const isSuspended = ({ suspension }: Restricted, now: number): boolean =>
  suspension !== null && isInForce(suspension, now)

/** Whether this capability is taken from the user now. */
export const isRestricted = ({ restrictions }: Restricted, capability: Capability, now: number): boolean =>
  restrictions.some((restriction) => restriction.capability === capability && isInForce(restriction, now))

/** As it is on the wire. */
export const presentSuspension = ({ reason, until }: Suspension) => ({
  reason,
  until: until === null ? null : timestamp(until),
})

/** As it is on the wire. */
export const presentRestriction = ({ capability, ...why }: Restriction) => ({ capability, ...presentSuspension(why) })
