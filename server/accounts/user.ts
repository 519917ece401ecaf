import { timestamp } from '../../contract/envelope.ts'
import type { AuthMethod, SocialProvider } from '../../contract/tenant-configuration.ts'
import type { ManagedUser, User as WireUser } from '../../contract/user.ts'
import type { PageRequest } from '../tenants/tenant.ts'
import { isInForce, presentRestriction, presentSuspension, type Restriction, type Suspension } from './restriction.ts'

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
  /** Providers the user has an identity at. */
  readonly providers: readonly SocialProvider[]
  readonly guest: boolean
  readonly restrictions: readonly Restriction[]
  readonly suspension: Suspension | null
  /** The last sign-in or refresh. */
  readonly lastActiveAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A user with what sign-in compares against: a PHC string or an imported hash; null without a password. */
export interface UserCredential {
  readonly user: User
  readonly passwordHash: string | null
}

/** One of the two kinds of address a user can have. */
export type Address = { readonly email: string } | { readonly phone: string }

/** Why a user could not be added, or could not have an address: somebody of the tenant has it. */
export type AddressTaken = 'email' | 'phone'

/** Which users are listed; all of what is given must fit. */
export interface UserFilter {
  readonly email?: string
  readonly phone?: string
  readonly idPrefix?: string
}

/** One tenant's users. */
export interface UserStore {
  find(id: string): Promise<User | null>
  /** Reads the user and locks the row until the transaction ends. */
  lock(id: string): Promise<User | null>
  /** @param how `evenly` reads a whole row also when there is no such user, so that the time does not depend on it */
  findByEmail(email: string, how?: { readonly evenly: boolean }): Promise<UserCredential | null>
  /** The user of this id with the credential, whatever became of the addresses since. */
  findCredential(id: string): Promise<UserCredential | null>
  findByPhone(phone: string): Promise<User | null>
  /** In id order. */
  list(page: PageRequest & UserFilter): Promise<User[]>
  /** As `list`, with what a move to another system takes along. */
  listCredentials(page: PageRequest): Promise<UserCredential[]>
  add(user: User, passwordHash: string | null): Promise<AddressTaken | null>
  /** Replaces the password of a user who has one, and marks the e-mail address proven; false when there is none. */
  resetPassword(id: string, passwordHash: string, now: number): Promise<boolean>
  /** Sets the password, if it is still `verifiedHash`; null means whatever it is. False when it is not, or nobody is. */
  setPassword(id: string, verifiedHash: string | null, passwordHash: string, now: number): Promise<boolean>
  /** Stores the same password under new parameters, if it is still the one that was verified. */
  rehashPassword(id: string, verifiedHash: string, passwordHash: string): Promise<void>
  /** Holds the user's row and answers whether the password is still the one that was verified (threat D10). */
  confirmPassword(id: string, verifiedHash: string): Promise<boolean>
  /** Marks the address verified if it is still the user's. */
  markVerified(id: string, address: Address, now: number): Promise<boolean>
  /** Makes it the user's address, proven, and a guest a full user; false when somebody else of the tenant has it. */
  setAddress(id: string, address: Address, now: number): Promise<boolean>
  /** As `setAddress`, without a proof that it is the user's. */
  claimEmail(id: string, email: string, now: number): Promise<boolean>
  /** The user loses the address and, with an e-mail address, the password that signs in with it. */
  removeAddress(id: string, kind: AddressTaken, now: number): Promise<void>
  /** The user loses an address that was never proven, and nothing else; false when it is not that user's or is proven. */
  takeAddress(id: string, address: Address, now: number): Promise<boolean>
  removePassword(id: string, now: number): Promise<void>
  /** When the password was last set or reset; null when that was never, or before this was recorded. */
  passwordChangedAt(id: string): Promise<number | null>
  /** A guest no more. */
  makeFull(id: string, now: number): Promise<void>
  /** Notes a sign-in or refresh; false when there is no such user. */
  touch(id: string, now: number): Promise<boolean>
  /** Replaces what is given of the two. */
  restrict(
    id: string,
    changes: { readonly restrictions?: readonly Restriction[]; readonly suspension?: Suspension | null },
    now: number,
  ): Promise<User | null>
  /** Ids of guests not active since, up to `limit`. */
  idleGuests(before: number, limit: number): Promise<string[]>
  /** Users behind this id whose imported fast digest is not wrapped yet, by id, up to `limit`. */
  fastDigests(after: string, limit: number): Promise<{ readonly id: string; readonly passwordHash: string }[]>
  remove(id: string): Promise<boolean>
}

/** A user from now on, unless told otherwise without address, credential or restriction. */
export const newUser = (id: string, now: number, given: Partial<User> = {}): User => ({
  email: null,
  emailVerifiedAt: null,
  phone: null,
  phoneVerifiedAt: null,
  hasPassword: false,
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

/** What the user can sign in with: a password with its address, codes to an address that was proven, providers. */
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

/** As the user's own client sees it. */
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
