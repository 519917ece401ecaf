import type { UserCapability } from '../../contract/tenants/capabilities.ts'
import type { Restriction, Suspension } from '../accounts/restriction.ts'

/** Reason and end, as in a body. */
interface Given {
  readonly reason?: string | null | undefined
  readonly until?: string | null | undefined
}

/** A suspension as it is stored. */
export const readSuspension = ({ reason, until }: Given): Suspension => ({
  reason: reason ?? null,
  until: until ? Date.parse(until) : null,
})

/** Restrictions as they are stored. The last one of a capability counts, as with duplicate keys in JSON. */
export function readRestrictions(given: readonly (Given & { readonly capability: UserCapability })[]): Restriction[] {
  const byCapability = new Map(given.map((restriction) => [restriction.capability, restriction]))
  return [...byCapability.values()].map(({ capability, ...why }) => ({ capability, ...readSuspension(why) }))
}
