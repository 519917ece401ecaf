import { z } from 'zod'
import { givenTime, Timestamp } from '../envelope.ts'
import { UserCapability } from '../tenants/capabilities.ts'
import { AuthMethod } from '../tenants/tenant-configuration.ts'
import { text } from '../text.ts'

/** The signed-in user as the client sees it. */
export const User = z.strictObject({
  id: z.string(),
  guest: z.boolean(),
  methods: z.array(AuthMethod).describe('The sign-in methods of the user. They work if the tenant enables them.'),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>

/** One sign-in method of an account: a password, a verified address, or a provider account. */
export const Identity = z.strictObject({
  id: z
    .string()
    .describe(
      '`password`, `email`, `phone`, or the id of a linked provider account; the id for `DELETE /account/identities/{id}`.',
    ),
  method: AuthMethod,
  email: z.string().nullable().describe('The address used to sign in, or the address from the provider.'),
  phone: z.string().nullable(),
  createdAt: Timestamp.nullable().describe(
    'When the address was verified or the account was linked; null for a password.',
  ),
})
export type Identity = z.infer<typeof Identity>

/** The signed-in user with all sign-in methods. */
export const Account = User.extend({ identities: z.array(Identity) })
export type Account = z.infer<typeof Account>

/** A session as its user sees it: enough to recognise the device, not to locate it. */
export const OpenSession = z.strictObject({
  id: z.string(),
  current: z.boolean().describe('Whether this request belongs to the session.'),
  userAgent: z.string().nullable(),
  network: z.string().describe('The network of the last use: IPv4 /24 or IPv6 /48.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.describe('The last sign-in or refresh.'),
  expiresAt: Timestamp.describe('When the session ends unless it is refreshed first.'),
})
export type OpenSession = z.infer<typeof OpenSession>

const Reason = text({ max: 500 }).nullable().describe('The reason, for the operator. Included in the user’s export.')
const Until = givenTime().nullable().describe('When it ends automatically; null for never.')

/** A restricted capability of a user, with reason and end. */
export const Restriction = z.strictObject({ capability: UserCapability, reason: Reason, until: Until })
export type Restriction = z.infer<typeof Restriction>

/** The suspension of a user, with reason and end. */
export const Suspension = z.strictObject({ reason: Reason, until: Until })
export type Suspension = z.infer<typeof Suspension>

/**
 * States by which users are listed: a suspension or a restriction in force; a guest; no verified address although not a
 * guest.
 */
export const UserState = z.enum(['suspended', 'restricted', 'guest', 'unverified'])
export type UserState = z.infer<typeof UserState>

/** The order of users by the time of their creation. */
export const UserOrder = z.enum(['newest', 'oldest'])
export type UserOrder = z.infer<typeof UserOrder>

/** A user as the operator sees it. */
export const ManagedUser = User.extend({
  restrictedCapabilities: z
    .array(UserCapability)
    .describe('Capabilities that are restricted now; `restrictions` also lists expired ones.'),
  restrictions: z.array(Restriction),
  suspension: Suspension.nullable(),
  lastActiveAt: Timestamp.describe('The last sign-in or refresh.'),
  updatedAt: Timestamp,
})
export type ManagedUser = z.infer<typeof ManagedUser>
