import type { ManagedUser, UserOrder, UserState, User as WireUser } from '../../contract/accounts/user.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { AuthMethod, SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import type { PageRequest } from '../tenants/tenant.ts'
import {
  isInForce,
  isSuspended,
  presentRestriction,
  presentSuspension,
  type Restriction,
  type Suspension,
} from './restriction.ts'

/** A user of one tenant; times in epoch milliseconds. */
export interface User {
  readonly id: string
  /** Normalised; unique within the tenant. */
  readonly email: string | null
  readonly emailVerifiedAt: number | null
  /** E.164; unique within the tenant. */
  readonly phone: string | null
  readonly phoneVerifiedAt: number | null
  readonly hasPassword: boolean
  /** When the password was last set or reset; null when never since sign-up, or before this was recorded. */
  readonly passwordChangedAt: number | null
  /** Codes to sign in that were requested before are refused; null when all are accepted. */
  readonly codesValidFrom: number | null
  /** Providers at which the user has an identity. */
  readonly providers: readonly SocialProvider[]
  readonly guest: boolean
  readonly restrictions: readonly Restriction[]
  readonly suspension: Suspension | null
  /** The latest sign-in or refresh. */
  readonly lastActiveAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A user with the stored password: a PHC string or an imported hash; null without a password. */
export interface UserCredential {
  readonly user: User
  readonly passwordHash: string | null
}

/** One of the two kinds of address a user can have. */
export type Address = { readonly email: string } | { readonly phone: string }
export type AddressKind = 'email' | 'phone'

/** Filters of a list of users; all given ones must match. */
export interface UserFilter {
  readonly email?: string
  readonly phone?: string
  readonly idPrefix?: string
  /** Includes users whose suspension or restrictions have ended, and does not apply to `email` and `phone`. */
  readonly state?: UserState
  readonly order?: UserOrder
}

/** A search by the beginning of an address. */
export interface AddressSearch {
  readonly kind: AddressKind
  readonly prefix: string
  readonly state?: UserState
}

/** Users found in one section of an index, and the last address read if there may be more. */
export interface FoundAddresses {
  readonly users: readonly User[]
  readonly next: string | null
}

/** One tenant's users. */
export interface UserStore {
  find(id: string): Promise<User | null>
  /** Reads the user and locks the row until the transaction ends. */
  lock(id: string): Promise<User | null>
  /** @param how `evenly` reads a whole row even when there is no such user, so that both take the same time */
  findByEmail(email: string, how?: { readonly evenly: boolean }): Promise<UserCredential | null>
  /** The user with the stored password, whatever their addresses are now. */
  findCredential(id: string): Promise<UserCredential | null>
  findByPhone(phone: string): Promise<User | null>
  /** In id order, oldest first by default. */
  list(page: PageRequest & UserFilter): Promise<User[]>
  /** In the order of the addresses. With a state, a section can hold fewer users than the limit and have a next one. */
  search(
    search: AddressSearch,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<FoundAddresses>
  /** As `list`, with what an export needs. */
  listCredentials(page: PageRequest): Promise<UserCredential[]>
  /** The result is the address that another user of the tenant has, if any. */
  add(user: User, passwordHash: string | null): Promise<AddressKind | null>
  /** Replaces the password of a user who has one, and marks the e-mail address verified; false when there is none. */
  resetPassword(id: string, passwordHash: string, now: number): Promise<boolean>
  /**
   * Sets the password if the stored one is still `verifiedHash`; null matches any. False when it does not match or the
   * user does not exist.
   */
  setPassword(id: string, verifiedHash: string | null, passwordHash: string, now: number): Promise<boolean>
  /** Stores the same password under new parameters, if it is still the one that was verified. */
  rehashPassword(id: string, verifiedHash: string, passwordHash: string): Promise<void>
  /** Locks the row of the user and reads it; null when the password is no longer the one that was verified (threat D10). */
  confirmPassword(id: string, verifiedHash: string): Promise<User | null>
  /** Marks the address verified if it is still the user's. */
  markVerified(id: string, address: Address, now: number): Promise<boolean>
  /**
   * Gives the user a verified address, and makes a guest a full user; false when another user of the tenant has it. One that
   * the user has verified already keeps its time.
   * @param verifiedAt `now` by default
   */
  setAddress(id: string, address: Address, now: number, verifiedAt?: number): Promise<boolean>
  unverifyAddress(id: string, kind: AddressKind, now: number): Promise<void>
  /** As `setAddress`, but unverified. */
  claimEmail(id: string, email: string, now: number): Promise<boolean>
  /** Removes the address and, with an e-mail address, the password that signs in with it. */
  removeAddress(id: string, kind: AddressKind, now: number): Promise<void>
  /** Removes an unverified address and nothing else; false when it is not the user's or is verified. */
  takeAddress(id: string, address: Address, now: number): Promise<boolean>
  removePassword(id: string, now: number): Promise<void>
  /** Refuses codes to sign in that were requested before. */
  endCodes(id: string, now: number): Promise<void>
  /** Makes a guest a full user. */
  makeFull(id: string, now: number): Promise<void>
  /** Records a sign-in or refresh; false when the user does not exist. */
  touch(id: string, now: number): Promise<boolean>
  /** Replaces the given members. */
  restrict(
    id: string,
    changes: { readonly restrictions?: readonly Restriction[]; readonly suspension?: Suspension | null },
    now: number,
  ): Promise<User | null>
  /** Ids of guests that were last active before then. */
  idleGuests(before: number, limit: number): Promise<string[]>
  /** Users after this id, in id order, whose imported fast digest is not wrapped yet. */
  fastDigests(after: string, limit: number): Promise<{ readonly id: string; readonly passwordHash: string }[]>
  remove(id: string): Promise<boolean>
}

/** A new user; without address, credential or restriction unless given. */
export const newUser = (id: string, now: number, given: Partial<User> = {}): User => ({
  email: null,
  emailVerifiedAt: null,
  phone: null,
  phoneVerifiedAt: null,
  hasPassword: false,
  passwordChangedAt: null,
  codesValidFrom: null,
  providers: [],
  guest: false,
  restrictions: [],
  suspension: null,
  lastActiveAt: now,
  createdAt: now,
  updatedAt: now,
  ...given,
  id,
})

/** How the user can sign in: a password with its address, codes to a verified address, providers. */
export function methodsOf(
  user: Pick<User, 'email' | 'hasPassword' | 'emailVerifiedAt' | 'phoneVerifiedAt' | 'providers' | 'guest'>,
): AuthMethod[] {
  if (user.guest) return ['guest']
  return [
    ...(user.hasPassword && user.email !== null ? (['password'] as const) : []),
    ...(user.emailVerifiedAt !== null || user.phoneVerifiedAt !== null ? (['otp'] as const) : []),
    ...user.providers,
  ]
}

/** Whether the user is in this state now. */
export function isInState(user: User, state: UserState, now: number): boolean {
  switch (state) {
    case 'suspended':
      return isSuspended(user, now)
    case 'restricted':
      return user.restrictions.some((restriction) => isInForce(restriction, now))
    case 'guest':
      return user.guest
    case 'unverified':
      return !user.guest && user.emailVerifiedAt === null && user.phoneVerifiedAt === null
  }
}

/** As the user sees it. */
export function presentUser(user: User): WireUser {
  return {
    id: user.id,
    guest: user.guest,
    methods: methodsOf(user),
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    phone: user.phone,
    phoneVerified: user.phoneVerifiedAt !== null,
    createdAt: timestamp(user.createdAt),
  }
}

/** As the operator sees it. */
export function presentManagedUser(user: User, now: number): ManagedUser {
  const restrictions = user.restrictions.filter((restriction) => isInForce(restriction, now))
  return {
    ...presentUser(user),
    restrictedCapabilities: restrictions.map(({ capability }) => capability),
    restrictions: restrictions.map(presentRestriction),
    suspension: user.suspension && isInForce(user.suspension, now) ? presentSuspension(user.suspension) : null,
    lastActiveAt: timestamp(user.lastActiveAt),
    updatedAt: timestamp(user.updatedAt),
  }
}
