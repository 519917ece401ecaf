import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { Done, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { SocialProvider } from '../tenants/tenant-configuration.ts'
import { text } from '../text.ts'
import { NewPassword } from './password-reset.ts'
import { CheckedFields, ProfileUpdate } from './profile.ts'
import { SessionAnswer } from './session.ts'

export { SessionAnswer } from './session.ts'

export const signUp = operation({
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Sign up with a password',
  description:
    'Creates a user and a session. With enumeration protection (`security.enumerationProtection` of the tenant), `token` is required: the id of a verified `otp_signin` one-time password for the address. Without it, the answer is VALIDATION_ERROR with `{"token": "Required"}`: send a code with `POST /otp`, verify it with `POST /otp/verify`, and sign up with its id as `token`.',
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
  ],
})

export const checkSignUp = operation({
  method: 'POST',
  path: '/auth/sign-up/check',
  summary: 'Check the profile of a sign-up',
  description:
    'Tells what a sign-up would do with each of these profile fields, for example whether a nickname is taken. Fields that are not sent are not required. Stores nothing. With enumeration protection, fields of type `email` and `phone` are always `ok`.',
  auth: 'tenant',
  limit: 'sign-up-check',
  body: z.object({ profile: ProfileUpdate }),
  status: 201,
  output: CheckedFields,
  errors: [],
})

/** The id of a verified `otp_signin` one-time password, which proves the address it was sent to. */
export const OtpProof = z.object({ method: z.literal('otp'), token: text() })

/** The ID token that the provider's SDK returns to the client application (OpenID Connect Core 2). Accepted once. */
export const SocialProof = z.object({
  method: SocialProvider,
  idToken: text({ max: 8192 }).describe('Accepted once. Get a new one from the provider for each request.'),
  nonce: text({ max: 512 })
    .optional()
    .describe('The raw nonce; the token contains its SHA-256. Required if the token has a nonce.'),
})

/** What a sign-in of an existing user takes beside its proof. */
const signInOptions = {
  endOtherSessions: z
    .boolean()
    .optional()
    .describe(
      '`true`: ends all other sessions of the user with the sign-in, so that none of them can end the new one first.',
    ),
}

export const signIn = operation({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in',
  description:
    'With a password: an unknown address and a wrong password get the same response in the same time. With a verified one-time password, as a guest, or with a provider’s ID token: creates the user if none exists. The first verification of an address that an account had only claimed transfers the account without its password, sessions and identities (`firstProof`). If that account has another verified sign-in method, it loses the address instead, and a new user is created. TOO_MANY_REQUESTS also means too many failed passwords for the account; a password reset or a code still works.',
  auth: 'tenant',
  limit: 'sign-in',
  capability: 'sign_in',
  body: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), email: emailAddress, password: text(), ...signInOptions }),
    OtpProof.extend(signInOptions),
    z.object({ method: z.literal('guest') }),
    SocialProof.extend(signInOptions),
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
  ],
})

export const stepUp = operation({
  method: 'POST',
  path: '/auth/step-up',
  summary: 'Step up a session',
  description:
    'Sensitive operations fail with FRESH_SIGN_IN_REQUIRED if the sign-in behind the access token is older than the tenant allows (`security.freshSeconds`, default ten minutes). This operation authenticates the same user again (with the password, a verified `otp_signin` one-time password for a verified address of the account, or an ID token of a linked provider) and returns an access token of the same session with a newer `auth_time` claim. Only that token is fresh: refreshing the session keeps the time of the original sign-in. The session and its refresh token do not change. Wrong passwords count like those of a sign-in.',
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
    freshUntil: Timestamp.describe('The access token counts as fresh until this time.'),
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
  ],
})

export const refreshSession = operation({
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Refresh a session',
  description:
    'Returns a new access token and a new refresh token, and invalidates the old refresh token. For ten seconds, the old one returns the same new one, for clients that lost the response; later reuse ends the session (RFC 9700 4.14.2). A session ends after 30 days without use, and after 180 days at the latest. While `sign_in` is restricted for the tenant or the user, refreshing fails and the session remains.',
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
    'Ends this session, all others, or all of them, effective immediately. Without a body, ends this session. Address changes started by an ended session can no longer be verified.',
  auth: 'tenant, user',
  limit: 'sign-out',
  body: z.object({ scope: z.enum(['this', 'others', 'all']).default('this') }),
  status: 201,
  output: Done,
  errors: [],
})
