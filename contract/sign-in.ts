import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { Done, Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { NewPassword } from './password-reset.ts'
import { ProfileUpdate } from './profile.ts'
import { SessionAnswer } from './session.ts'
import { SocialProvider } from './tenant-configuration.ts'
import { text } from './text.ts'

export { SessionAnswer } from './session.ts'

export const signUp = operation({
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Sign up with a password',
  description:
    'Creates a user and a session. At a tenant with enumeration protection `token` must be a verified `otp_signin` one-time password for the address.',
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

/** The id of a verified `otp_signin` one-time password: it proves the address it was sent to. */
export const OtpProof = z.object({ method: z.literal('otp'), token: text() })

/** The ID token that a provider's SDK gives the client application (OpenID Connect Core 2). It is accepted once. */
export const SocialProof = z.object({
  method: SocialProvider,
  idToken: text({ max: 8192 }).describe('Accepted once; get a new one from the provider for each call.'),
  nonce: text({ max: 512 })
    .optional()
    .describe('The raw nonce; the token carries its SHA-256. Required when the token has one.'),
})

export const signIn = operation({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in',
  description:
    'By password: an unknown address and a wrong password get the same answer after equal work. By a verified one-time password, as a guest, or by a provider’s ID token: a user is created if there is none. The first proof of an address that an account had only claimed hands the account over without its password, sessions and identities (`firstProof`); if that account has another proven way in, it loses the address instead, and a new user is created. TOO_MANY_REQUESTS also means too many failed passwords for the account: a password reset or a code still works.',
  auth: 'tenant',
  limit: 'sign-in',
  capability: 'sign_in',
  body: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), email: emailAddress, password: text() }),
    OtpProof,
    z.object({ method: z.literal('guest') }),
    SocialProof,
  ]),
  status: 201,
  output: SessionAnswer,
  errors: [
    'INVALID_CREDENTIALS',
    'INVALID_SOCIAL_TOKEN',
    'RESTRICTED_CAPABILITY',
    'AUTH_METHOD_NOT_ENABLED',
    'OTP_NOT_FOUND',
    'OTP_NOT_CONSUMABLE',
    'OTP_ALREADY_CONSUMED',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
    'SERVICE_UNAVAILABLE',
  ],
})

export const stepUp = operation({
  method: 'POST',
  path: '/auth/step-up',
  summary: 'Prove the sign-in again',
  description:
    'Sensitive operations answer FRESH_SIGN_IN_REQUIRED when the sign-in behind the access token is older than the tenant allows (`security.freshSeconds`, ten minutes unless set). This operation takes a second proof of the same user (the password, a verified `otp_signin` one-time password for one of the account’s verified addresses, or an ID token of a linked provider) and returns an access token of the same session with a newer `auth_time` claim. Only that token is fresh: refreshing the session keeps the time of the sign-in. The session and its refresh token stay as they are. Wrong passwords count as those of a sign-in do.',
  auth: 'tenant, user',
  limit: 'sign-in',
  capability: 'sign_in',
  body: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), password: text() }),
    OtpProof,
    SocialProof,
  ]),
  status: 201,
  output: z.strictObject({
    accessToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int(),
    freshUntil: Timestamp.describe('Until when this access token passes as fresh.'),
  }),
  errors: [
    'INVALID_CREDENTIALS',
    'INVALID_SOCIAL_TOKEN',
    'AUTH_METHOD_NOT_ENABLED',
    'OTP_NOT_FOUND',
    'OTP_NOT_CONSUMABLE',
    'OTP_ALREADY_CONSUMED',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
    'SERVICE_UNAVAILABLE',
  ],
})

export const refreshSession = operation({
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Refresh a session',
  description:
    'Returns a new access token and the successor of the refresh token, which is then used up. Within ten seconds the used one is answered with the same successor, for a client that lost the answer; used again later it ends the session (RFC 9700 4.14.2). A session ends after 30 days unused, and after 180 days. While `sign_in` is restricted for the tenant or the user, refreshing is refused and the session stays.',
  auth: 'tenant',
  limit: 'refresh',
  body: z.object({ refreshToken: text({ max: 512 }) }),
  status: 201,
  output: SessionAnswer,
  errors: ['INVALID_REFRESH_TOKEN', 'TOKEN_USER_NOT_FOUND', 'RESTRICTED_CAPABILITY'],
})

export const signOut = operation({
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'Sign out',
  description:
    'Ends this session, every other one, or all of them, at once. Address changes that an ended session began can no longer be verified.',
  auth: 'tenant, user',
  limit: 'sign-out',
  body: z.object({ scope: z.enum(['this', 'others', 'all']) }),
  status: 201,
  output: Done,
  errors: [],
})
