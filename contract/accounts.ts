import { z } from 'zod'
import { UserCapability } from './capabilities.ts'
import { emailAddress } from './email-address.ts'
import { Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { NewPassword } from './password-reset.ts'
import { ProfileUpdate } from './profile.ts'
import { AuthMethod } from './tenant-configuration.ts'
import { text } from './text.ts'

/** A user as the user's own client sees it (design 6). */
export const User = z.strictObject({
  id: z.string(),
  guest: z.boolean(),
  methods: z.array(AuthMethod),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>

/** The answer of every sign-in (design 6). `expiresIn` is in seconds. */
export const SessionAnswer = z.strictObject({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int(),
  refreshToken: z.string(),
  user: User,
  isNewUser: z.boolean(),
})
export type SessionAnswer = z.infer<typeof SessionAnswer>

export const signUp = operation({
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Sign up with a password',
  description:
    'Makes a user and a session. At a tenant with enumeration protection `token` must be a verified `otp_signin` one-time password for the address.',
  auth: 'tenant',
  limit: 'sign-up',
  capability: 'sign_up',
  body: z.object({
    method: z.literal('password'),
    email: emailAddress,
    password: NewPassword,
    profile: ProfileUpdate.optional(),
    token: text().optional(),
  }),
  status: 201,
  output: SessionAnswer,
  errors: [
    'EMAIL_ALREADY_REGISTERED',
    'AUTH_METHOD_NOT_ENABLED',
    'OTP_NOT_FOUND',
    'OTP_NOT_CONSUMABLE',
    'OTP_ALREADY_CONSUMED',
    'UNEXPECTED_STATE',
    'SERVICE_UNAVAILABLE',
  ],
})

export const signIn = operation({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in with a password',
  description: 'One answer and equal work for an unknown address and a wrong password.',
  auth: 'tenant',
  limit: 'sign-in',
  capability: 'sign_in',
  body: z.object({ method: z.literal('password'), email: emailAddress, password: text() }),
  status: 201,
  output: SessionAnswer,
  errors: ['INVALID_CREDENTIALS', 'AUTH_METHOD_NOT_ENABLED', 'RESTRICTED_CAPABILITY', 'SERVICE_UNAVAILABLE'],
})

/** What the operator is told of a user (design 9). */
export const ManagedUser = User.extend({
  restrictedCapabilities: z.array(UserCapability),
  updatedAt: Timestamp,
})
export type ManagedUser = z.infer<typeof ManagedUser>
