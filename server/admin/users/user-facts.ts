import type { Restriction } from '../../accounts/restriction.ts'
import type { User } from '../../accounts/user.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { maskEmail, maskPhone } from '../../delivery/mask.ts'
import type { Fact } from '../../events/event.ts'
import { aUser } from '../../events/subjects.ts'

/** An operator created a user. */
export const userCreated = ({ id, email, phone, hasPassword }: User): Fact => ({
  type: 'user.created',
  subject: aUser(id),
  changes: {
    ...(email !== null && { email: { after: maskEmail(email) } }),
    ...(phone !== null && { phone: { after: maskPhone(phone) } }),
    ...(hasPassword && { password: {} }),
  },
})

/** What an operator's update changed of a user; empty when nothing. The reasons of a restriction are not recorded. */
export const factsOfUpdate = (before: User, after: User): Fact[] => [
  ...emailFacts(before, after),
  ...phoneFacts(before, after),
  ...accountFacts(before, after),
  ...restrictionFacts(before, after),
  ...suspensionFacts(before, after),
]

function emailFacts(before: User, { id, email, emailVerifiedAt }: User): Fact[] {
  if (email === null) return []
  const after = maskEmail(email)
  if (before.email !== email) {
    const change = { ...(before.email !== null && { before: maskEmail(before.email) }), after }
    return [{ type: 'user.email_changed', subject: aUser(id), changes: { email: change } }]
  }
  if (before.emailVerifiedAt !== null || emailVerifiedAt === null) return []
  return [{ type: 'user.email_verified', subject: aUser(id), changes: { email: { after } } }]
}

function phoneFacts(before: User, { id, phone, phoneVerifiedAt }: User): Fact[] {
  if (phone === null) return []
  const after = maskPhone(phone)
  if (before.phone !== phone) {
    const change = { ...(before.phone !== null && { before: maskPhone(before.phone) }), after }
    return [{ type: 'user.phone_changed', subject: aUser(id), changes: { phone: change } }]
  }
  if (before.phoneVerifiedAt !== null || phoneVerifiedAt === null) return []
  return [{ type: 'user.phone_verified', subject: aUser(id), changes: { phone: { after } } }]
}

/** A guest who became a full user, and stored addresses that lost their verification. */
function accountFacts(before: User, after: User): Fact[] {
  const lost = { before: true, after: false }
  const changes = {
    ...(before.guest !== after.guest && { guest: { before: before.guest, after: after.guest } }),
    ...(before.email === after.email &&
      wasUnverified(before.emailVerifiedAt, after.emailVerifiedAt) && { emailVerified: lost }),
    ...(before.phone === after.phone &&
      wasUnverified(before.phoneVerifiedAt, after.phoneVerifiedAt) && { phoneVerified: lost }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ type: 'user.updated', subject: aUser(after.id), changes }]
}

const wasUnverified = (before: number | null, after: number | null) => before !== null && after === null

function restrictionFacts(before: User, after: User): Fact[] {
  const restricted = notIn(before.restrictions, after.restrictions)
  const kept = new Set(after.restrictions.map(({ capability }) => capability))
  const lifted = before.restrictions.map(({ capability }) => capability).filter((capability) => !kept.has(capability))
  return [
    ...capabilityFact('user.restricted', after.id, restricted),
    ...capabilityFact('user.unrestricted', after.id, lifted),
  ]
}

/** Restrictions that are new or changed. */
const notIn = (before: readonly Restriction[], after: readonly Restriction[]): Restriction['capability'][] => {
  const known = new Set(before.map(canonicalJson))
  return after.filter((one) => !known.has(canonicalJson(one))).map(({ capability }) => capability)
}

const capabilityFact = (
  type: 'user.restricted' | 'user.unrestricted',
  userId: string,
  capabilities: readonly string[],
): Fact[] =>
  capabilities.length === 0
    ? []
    : [{ type, subject: aUser(userId), details: { capabilities: capabilities.toSorted() } }]

function suspensionFacts(before: User, { id, suspension }: User): Fact[] {
  if (canonicalJson(before.suspension) === canonicalJson(suspension)) return []
  if (suspension === null) return [{ type: 'user.restored', subject: aUser(id) }]
  const until = suspension.until === null ? null : new Date(suspension.until).toISOString()
  return [{ type: 'user.suspended', subject: aUser(id), details: { until } }]
}
