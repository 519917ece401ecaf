import { maskEmail, maskPhone } from '../delivery/mask.ts'
import type { Fact } from '../events/event.ts'
import { aUser } from '../events/subjects.ts'
import { kindOf, recipientOf } from './addresses/address.ts'
import type { Identity } from './identity.ts'
import type { Address, AddressKind, User } from './user.ts'

const masked = (kind: AddressKind, address: string): string =>
  kind === 'email' ? maskEmail(address) : maskPhone(address)

/** An address before and after a change, masked; null where there is none. */
export const addressChange = (
  kind: AddressKind,
  before: string | null,
  after: string | null,
): NonNullable<Fact['changes']> => ({
  [kind]: {
    ...(before !== null && { before: masked(kind, before) }),
    ...(after !== null && { after: masked(kind, after) }),
  },
})

/** The user's address of this kind changed, or was removed. */
export const addressChanged = (before: User, kind: AddressKind, after: string | null): Fact => ({
  type: `user.${kind}_changed`,
  subject: aUser(before.id),
  changes: addressChange(kind, before[kind], after),
})

/** The user lost an address. The e-mail address takes the password with it. */
export const addressRemoved = (before: User, kind: AddressKind): readonly Fact[] => [
  ...(kind === 'email' && before.hasPassword ? [passwordChanged(before.id)] : []),
  addressChanged(before, kind, null),
]

/** The user proved an address that the account had already. */
export const addressVerified = ({ id }: User, address: Address): Fact => ({
  type: `user.${kindOf(address)}_verified`,
  subject: aUser(id),
  changes: addressChange(kindOf(address), null, recipientOf(address)),
})

/** An account at a provider was added to the user. */
export const identityAdded = (
  { id, userId, provider }: Identity,
  type: 'identity.added' | 'identity.linked_by_address' = 'identity.added',
): Fact => ({ type, subject: aUser(userId), details: { provider, identity: id } })

/** The password was set, changed or removed. */
export const passwordChanged = (userId: string): Fact => ({
  type: 'user.password_changed',
  subject: aUser(userId),
  changes: { password: {} },
})
