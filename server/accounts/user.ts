import type { ManagedUser, User as WireUser } from '../../contract/accounts.ts'
import type { UserCapability } from '../../contract/capabilities.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { PageRequest } from '../tenants/tenant.ts'

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
  readonly guest: boolean
  readonly restrictedCapabilities: readonly UserCapability[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** A user with what sign-in compares against, a PHC string; null without a password. */
export interface UserCredential {
  readonly user: User
  readonly passwordHash: string | null
}

/** Why a user could not be added: somebody of the tenant has the address. */
export type AddressTaken = 'email' | 'phone'

/** One tenant's users. */
export interface UserStore {
  find(id: string): Promise<User | null>
  findByEmail(email: string): Promise<UserCredential | null>
  list(page: PageRequest & { email: string | null }): Promise<User[]>
  add(user: User, passwordHash: string | null): Promise<AddressTaken | null>
  /** Replaces the password of a user who has one, and marks the e-mail address proven; false when there is none. */
  resetPassword(id: string, passwordHash: string, now: number): Promise<boolean>
  /** Stores the same password under new parameters, if it is still the one that was verified. */
  rehashPassword(id: string, verifiedHash: string, passwordHash: string): Promise<void>
  /** Holds the user's row and answers whether the password is still the one that was verified (threat D10). */
  confirmPassword(id: string, verifiedHash: string, now: number): Promise<boolean>
  /** Marks the address verified if it is still the user's. */
  markVerified(id: string, address: { email: string } | { phone: string }, now: number): Promise<boolean>
  restrict(id: string, capabilities: readonly UserCapability[], now: number): Promise<User | null>
  remove(id: string): Promise<boolean>
}

/** As the user's own client sees it. */
export function presentUser(user: User): WireUser {
  return {
    id: user.id,
    guest: user.guest,
    methods: user.guest ? ['guest'] : user.hasPassword ? ['password'] : [],
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    phone: user.phone,
    phoneVerified: user.phoneVerifiedAt !== null,
    createdAt: timestamp(user.createdAt),
  }
}

/** As the operator sees it. */
export function presentManagedUser(user: User): ManagedUser {
  return {
    ...presentUser(user),
    restrictedCapabilities: [...user.restrictedCapabilities],
    updatedAt: timestamp(user.updatedAt),
  }
}
