import type { ManagedUser, UserCapability } from '../../packages/client/src/admin.ts'
import { changesBetween } from '../parts/settings/changes.ts'
import { userCapabilities } from './capabilities.ts'
import type { TypedWhy } from './reason-and-end.tsx'
import { instantOf, localOf } from './until.ts'

/** The restrictions of a user as a form holds them; a capability that is not withdrawn is missing. */
export type TypedRestrictions = Readonly<Partial<Record<UserCapability, TypedWhy>>>

type Restrictions = Pick<ManagedUser, 'restrictions' | 'restrictedCapabilities'>

const inForce = ({ restrictions, restrictedCapabilities }: Restrictions) =>
  restrictions.filter(({ capability }) => restrictedCapabilities.includes(capability))

const ofCapability = (restrictions: ManagedUser['restrictions'], capability: UserCapability) =>
  restrictions.find((one) => one.capability === capability)

/** The restriction of a capability that is in force. */
export const restrictionOf = (user: Restrictions, capability: UserCapability) => ofCapability(inForce(user), capability)

export const typedRestrictions = (user: Restrictions): TypedRestrictions =>
  Object.fromEntries(
    inForce(user).map(({ capability, reason, until }) => [capability, { reason: reason ?? '', until: localOf(until) }]),
  )

/**
 * The restrictions to store: what was typed, and for each capability, reason and end that was not touched what the user has
 * now. A form shows an end to the minute.
 *
 * @param before what the form began with
 */
export function restrictionsAfter(
  before: TypedRestrictions,
  typed: TypedRestrictions,
  now: Restrictions,
): ManagedUser['restrictions'] {
  return userCapabilities.flatMap((capability) => {
    const [was, why] = [before[capability], typed[capability]]
    const stored = restrictionOf(now, capability)
    if (why === was) return stored ?? []
    if (why === undefined) return []
    const [reason, until] = [why.reason.trim() || null, instantOf(why.until)]
    return {
      capability,
      reason: stored && why.reason === was?.reason ? stored.reason : reason,
      until: stored && why.until === was?.until ? stored.until : until,
    }
  })
}

/**
 * Of the capabilities that were touched, those whose restriction is neither what the operator has seen nor what is to be
 * stored: another operator changed it.
 *
 * @param before what the form began with
 */
export function changedMeanwhile(
  seen: Restrictions,
  before: TypedRestrictions,
  typed: TypedRestrictions,
  now: Restrictions,
): UserCapability[] {
  const next = restrictionsAfter(before, typed, now)
  return userCapabilities.filter((capability) => {
    const stored = restrictionOf(now, capability)
    const isStored = (restrictions: ManagedUser['restrictions']) =>
      changesBetween(stored, ofCapability(restrictions, capability)).length === 0
    return typed[capability] !== before[capability] && !isStored(inForce(seen)) && !isStored(next)
  })
}
