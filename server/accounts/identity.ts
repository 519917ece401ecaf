import { timestamp } from '../../contract/envelope.ts'
import type { SocialProvider } from '../../contract/tenant-configuration.ts'
import type { Identity as WireIdentity } from '../../contract/user.ts'
import type { User } from './user.ts'

/** A user's account at a provider; times in epoch milliseconds. */
export interface Identity {
  readonly id: string
  readonly userId: string
  readonly provider: SocialProvider
  /** The provider's id of the account (`sub`); unique within tenant and provider. */
  readonly subject: string
  /** The address the provider last gave; it says nothing about whose the address is. */
  readonly email: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
}

/** One tenant's identities. */
export interface IdentityStore {
  find(provider: SocialProvider, subject: string): Promise<Identity | null>
  /** Oldest first. */
  listOf(userId: string): Promise<Identity[]>
  /** Those of the users from one id to another, both included, for exports. */
  listBetween(firstUserId: string, lastUserId: string): Promise<Identity[]>
  /** False when the provider's account belongs to somebody of the tenant already. */
  add(identity: Identity): Promise<boolean>
  /** Notes a sign-in, and the address the provider gave at it. */
  touch(id: string, email: string | null, now: number): Promise<void>
  remove(userId: string, id: string): Promise<boolean>
  removeAllOf(userId: string): Promise<void>
}

/** Every way into an account: its password, its proven addresses, its accounts at providers. */
export function presentIdentities(user: User, identities: readonly Identity[]): WireIdentity[] {
  const { email, emailVerifiedAt, phone, phoneVerifiedAt } = user
  return [
    ...(user.hasPassword ? [{ id: 'password', method: 'password' as const, email, phone: null, createdAt: null }] : []),
    ...(emailVerifiedAt === null
      ? []
      : [{ id: 'email', method: 'otp' as const, email, phone: null, createdAt: timestamp(emailVerifiedAt) }]),
    ...(phoneVerifiedAt === null
      ? []
      : [{ id: 'phone', method: 'otp' as const, email: null, phone, createdAt: timestamp(phoneVerifiedAt) }]),
    ...identities.map((identity) => ({
      id: identity.id,
      method: identity.provider,
      email: identity.email,
      phone: null,
      createdAt: timestamp(identity.createdAt),
    })),
  ]
}
