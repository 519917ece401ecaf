import type { ManagedUser, UserCapability } from '../../packages/client/src/admin.ts'
import { userCapabilities } from './capabilities.ts'
import type { TypedWhy } from './reason-and-end.tsx'
import { instantOf, localOf } from './until.ts'

/** The restrictions of a user as a form holds them; a capability that is not withdrawn is missing. */
export type TypedRestrictions = Readonly<Partial<Record<UserCapability, TypedWhy>>>

type Restrictions = Pick<ManagedUser, 'restrictions' | 'restrictedCapabilities'>

const inForce = ({ restrictions, restrictedCapabilities }: Restrictions) =>
  restrictions.filter(({ capability }) => restrictedCapabilities.includes(capability))

export const typedRestrictions = (user: Restrictions): TypedRestrictions =>
  Object.fromEntries(
    inForce(user).map(({ capability, reason, until }) => [capability, { reason: reason ?? '', until: localOf(until) }]),
  )

/**
 * The restrictions to store: what was typed, and for each capability that was not touched what the user has now.
 *
 * @param before what the form began with
 */
export function restrictionsAfter(
  before: TypedRestrictions,
  typed: TypedRestrictions,
  now: Restrictions,
): ManagedUser['restrictions'] {
  return userCapabilities.flatMap((capability) => {
    const why = typed[capability]
    if (why === before[capability]) return inForce(now).filter((one) => one.capability === capability)
    return why === undefined ? [] : [{ capability, reason: why.reason.trim() || null, until: instantOf(why.until) }]
  })
}
