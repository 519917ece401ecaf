import { z } from 'zod'
import { UserCapability } from './capabilities.ts'
import { Timestamp } from './envelope.ts'
import { AuthMethod } from './tenant-configuration.ts'
import { text } from './text.ts'

/** A user as the user's own client sees it (design 6). */
export const User = z.strictObject({
  id: z.string(),
  guest: z.boolean(),
  methods: z.array(AuthMethod).describe('What the user can sign in with, where the tenant enables it.'),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>

/** One way into an account: a password, a proven address, or an account at a provider. */
export const Identity = z.strictObject({
  id: z
    .string()
    .describe('`password`, `email`, `phone`, or the id of a provider’s: what `DELETE /account/identities/{id}` takes.'),
  method: AuthMethod,
  email: z.string().nullable().describe('The address it signs in with, or the one the provider gave.'),
  phone: z.string().nullable(),
  createdAt: Timestamp.nullable().describe('When it was proven or linked; null for a password.'),
})
export type Identity = z.infer<typeof Identity>

/** The signed-in user, with every way into the account. */
export const Account = User.extend({ identities: z.array(Identity) })
export type Account = z.infer<typeof Account>

/** A session as its user sees it: enough to recognise the device, not to find it. */
export const Session = z.strictObject({
  id: z.string(),
  current: z.boolean().describe('The one this request was made with.'),
  userAgent: z.string().nullable(),
  network: z.string().describe('Where it was last used from: IPv4 to /24, IPv6 to /48.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.describe('The last sign-in or refresh.'),
  expiresAt: Timestamp.describe('When it ends unless it is refreshed before.'),
})
export type Session = z.infer<typeof Session>

const Reason = text({ max: 500 }).nullable().describe('For the operator; the user’s export shows it.')
const Until = z.iso.datetime({ offset: true }).nullable().describe('When it ends by itself; null for never.')

/** What one user may not do, why, and until when (design 3). */
export const Restriction = z.strictObject({ capability: UserCapability, reason: Reason, until: Until })
export type Restriction = z.infer<typeof Restriction>

/** Why a user may do nothing at all, and until when. */
export const Suspension = z.strictObject({ reason: Reason, until: Until })
export type Suspension = z.infer<typeof Suspension>

/** What the operator is told of a user (design 9). */
export const ManagedUser = User.extend({
  restrictedCapabilities: z.array(UserCapability).describe('Those of `restrictions` that hold now.'),
  restrictions: z.array(Restriction),
  suspension: Suspension.nullable(),
  lastActiveAt: Timestamp.describe('The last sign-in or refresh.'),
  updatedAt: Timestamp,
})
export type ManagedUser = z.infer<typeof ManagedUser>
