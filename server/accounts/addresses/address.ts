import type { Address, AddressKind, User } from '../user.ts'

export const kindOf = (address: Address): AddressKind => ('email' in address ? 'email' : 'phone')

/** The address as a recipient of messages. */
export const recipientOf = (address: Address): string => ('email' in address ? address.email : address.phone)

export const otherKind = (kind: AddressKind): AddressKind => (kind === 'email' ? 'phone' : 'email')

/** When the user verified their address of this kind; null while they have not. */
export const verifiedAt = (
  user: Pick<User, 'emailVerifiedAt' | 'phoneVerifiedAt'>,
  kind: AddressKind,
): number | null => (kind === 'email' ? user.emailVerifiedAt : user.phoneVerifiedAt)

/** The field of a user that `verifiedAt` reads. */
export const verifiedField = (kind: AddressKind, at: number | null): Partial<User> =>
  kind === 'email' ? { emailVerifiedAt: at } : { phoneVerifiedAt: at }

/** Whether the user has this address, verified or not. */
export const hasAddress = (user: User, address: Address): boolean => user[kindOf(address)] === recipientOf(address)

/** Whether the user has this address, verified. */
export const isProven = (user: User, address: Address): boolean =>
  hasAddress(user, address) && verifiedAt(user, kindOf(address)) !== null

/** The refusal of an address that another user of the tenant has. */
export const registered = { email: 'EMAIL_ALREADY_REGISTERED', phone: 'PHONE_ALREADY_REGISTERED' } as const
