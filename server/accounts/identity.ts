import type { Identity as WireIdentity } from '../../contract/accounts/user.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import type { User } from './user.ts'

/** A user's account at a provider; times in epoch milliseconds. */
export interface Identity {
  readonly id: string
  readonly userId: string
  readonly provider: SocialProvider
  /** The provider's id of the account (`sub`); unique per tenant and provider. */
  readonly subject: string
  /** The address in the provider's latest ID token; not proof that the user owns it. */
  readonly email: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
}

/** One tenant's identities. */
export interface IdentityStore {
  find(provider: SocialProvider, subject: string): Promise<Identity | null>
  /** Oldest first. */
  listOf(userId: string): Promise<Identity[]>
  /** The identities of all users in a range of ids, both ends included. */
  listBetween(firstUserId: string, lastUserId: string): Promise<Identity[]>
  /** False when the account at the provider is linked to a user of the tenant already. */
  add(identity: Identity): Promise<boolean>
  /** Records a sign-in and the address in its ID token; false when the identity does not exist. */
  touch(id: string, email: string | null, now: number): Promise<boolean>
  remove(userId: string, id: string): Promise<boolean>
  removeAllOf(userId: string): Promise<void>
}

/** Every way to sign in: the password, verified addresses, accounts at providers. */
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
