import { optionalTimestamp } from '../../contract/envelope.ts'
import type { Capability, UserCapability } from '../../contract/tenants/capabilities.ts'

/** Why a user is suspended, and until when (epoch milliseconds); null for no end. */
export interface Suspension {
  readonly reason: string | null
  readonly until: number | null
}

/** The same for one capability. */
export interface Restriction extends Suspension {
  readonly capability: UserCapability
}

interface Restricted {
  readonly restrictions: readonly Restriction[]
  readonly suspension: Suspension | null
}

/** Whether it has not expired. */
export const isInForce = ({ until }: Suspension, now: number): boolean => until === null || now < until

export const isSuspended = ({ suspension }: Restricted, now: number): boolean =>
  suspension !== null && isInForce(suspension, now)

export const isRestricted = ({ restrictions }: Restricted, capability: Capability, now: number): boolean =>
  restrictions.some((restriction) => restriction.capability === capability && isInForce(restriction, now))

/** Whether the user may sign in, and keep a session alive. */
export const maySignIn = (user: Restricted, now: number): boolean =>
  !isSuspended(user, now) && !isRestricted(user, 'sign_in', now)

/** As in the API. */
export const presentSuspension = ({ reason, until }: Suspension) => ({
  reason,
  until: optionalTimestamp(until),
})

/** As in the API. */
export const presentRestriction = ({ capability, ...why }: Restriction) => ({ capability, ...presentSuspension(why) })
