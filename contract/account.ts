import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { Done, Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { DeliveryMethod, IssuedOtp, Locale, OtpScope, OtpState } from './otp.ts'
import { NewPassword } from './password-reset.ts'
import { phoneNumber } from './phone-number.ts'
import { Profile } from './profile.ts'
import { SessionAnswer } from './session.ts'
import { OtpProof, SocialProof } from './sign-in.ts'
import { text } from './text.ts'
import { Account, Identity, ManagedUser, Session } from './user.ts'

export const getAccount = operation({
  method: 'GET',
  path: '/account',
  summary: 'Read the account',
  description: 'The signed-in user, and every way to sign in to the account.',
  auth: 'tenant, user',
  status: 200,
  output: Account,
  errors: [],
})

export const deleteAccount = operation({
  method: 'DELETE',
  path: '/account',
  summary: 'Delete the account',
  description:
    'Erases the signed-in user, the profile and the linked identities, and cancels live one-time passwords. The user’s access tokens are answered with TOKEN_USER_NOT_FOUND afterwards. A notice goes to every verified address. Needs a fresh sign-in.',
  auth: 'tenant, user',
  limit: 'delete-account',
  status: 204,
  output: z.undefined(),
  errors: ['FRESH_SIGN_IN_REQUIRED'],
})

export const changePassword = operation({
  method: 'POST',
  path: '/account/password',
  summary: 'Change the password',
  description:
    'Also sets the first password of an account that has an e-mail address. Needs a fresh sign-in when `currentPassword` is left out. All other sessions end, password resets and address changes under way are cancelled, and a notice goes to every verified address. An account gets five attempts an hour (`password-changes`).',
  auth: 'tenant, user',
  limit: 'change-password',
  body: z.object({ currentPassword: text().optional(), password: NewPassword }),
  status: 201,
  output: Done,
  errors: [
    'INVALID_CREDENTIALS',
    'FRESH_SIGN_IN_REQUIRED',
    'AUTH_METHOD_NOT_ENABLED',
    'EMAIL_NOT_SET',
    'TOO_MANY_REQUESTS',
    'SERVICE_UNAVAILABLE',
  ],
})

const newAddress = {
  method: 'POST',
  auth: 'tenant, user',
  limit: 'otp-create',
  capability: 'otp',
  status: 201,
  output: IssuedOtp,
} as const

export const changeEmail = operation({
  ...newAddress,
  path: '/account/email',
  summary: 'Change the e-mail address',
  description:
    'Sends a code to the new address. The address changes when `POST /otp/verify` with scope `email_verification` proves the code; if this session ends before that, the code is refused with OTP_NOT_PENDING. After the change a notice goes to every address that was verified before; the one to the old address carries a code that undoes the change (`POST /account/recover`). Needs a fresh sign-in.',
  body: z.object({ email: emailAddress, locale: Locale.optional() }),
  errors: [
    'FRESH_SIGN_IN_REQUIRED',
    'EMAIL_ALREADY_REGISTERED',
    'OTP_METHOD_NOT_AVAILABLE',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
  ],
})

export const changePhone = operation({
  ...newAddress,
  path: '/account/phone',
  summary: 'Change the phone number',
  description:
    'Sends a code to the new number. The number changes when `POST /otp/verify` with scope `phone_verification` proves the code; if this session ends before that, the code is refused with OTP_NOT_PENDING. After the change a notice goes to every address that was verified before; the one to the old number carries a code that undoes the change (`POST /account/recover`). Needs a fresh sign-in.',
  body: z.object({ phone: phoneNumber, locale: Locale.optional() }),
  errors: [
    'FRESH_SIGN_IN_REQUIRED',
    'PHONE_ALREADY_REGISTERED',
    'OTP_METHOD_NOT_AVAILABLE',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
  ],
})

export const listSessions = operation({
  method: 'GET',
  path: '/account/sessions',
  summary: 'List the sessions',
  description: 'Every open session of the signed-in user, the one last used first.',
  auth: 'tenant, user',
  status: 200,
  output: z.strictObject({ sessions: z.array(Session) }),
  errors: [],
})

export const endSession = operation({
  method: 'DELETE',
  path: '/account/sessions/:sessionId',
  summary: 'End a session',
  auth: 'tenant, user',
  limit: 'sessions',
  params: z.object({ sessionId: z.string() }),
  status: 204,
  output: z.undefined(),
  errors: ['SESSION_NOT_FOUND'],
})

export const addIdentity = operation({
  method: 'POST',
  path: '/account/identities',
  summary: 'Add a way to sign in',
  description:
    'Links a provider by its ID token, an address by a verified `otp_signin` one-time password, or adds a password. A guest becomes a full user and keeps id and profile. When this is the account’s first way to sign in, all its sessions end, and the answer has a new one in `session`: replace both tokens. What is linked to this account already is answered as if it had just been added. A notice goes to every address that was verified before. Needs a fresh sign-in; guests do not.',
  auth: 'tenant, user',
  limit: 'identities',
  body: z.discriminatedUnion('method', [
    z.object({
      method: z.literal('password'),
      password: NewPassword,
      email: emailAddress.optional().describe('Wanted when the account has none.'),
    }),
    OtpProof,
    SocialProof,
  ]),
  status: 201,
  output: Account.extend({
    session: SessionAnswer.optional().describe(
      'Present when this was the account’s first way to sign in. Replace both tokens.',
    ),
  }),
  errors: [
    'FRESH_SIGN_IN_REQUIRED',
    'RESTRICTED_CAPABILITY',
    'IDENTITY_LINKED_ELSEWHERE',
    'IDENTITY_ALREADY_LINKED',
    'INVALID_SOCIAL_TOKEN',
    'AUTH_METHOD_NOT_ENABLED',
    'EMAIL_NOT_SET',
    'OTP_NOT_FOUND',
    'OTP_NOT_CONSUMABLE',
    'OTP_ALREADY_CONSUMED',
    'TENANT_NOT_CONFIGURED',
    'SERVICE_UNAVAILABLE',
  ],
})

export const removeIdentity = operation({
  method: 'DELETE',
  path: '/account/identities/:identityId',
  summary: 'Remove a way to sign in',
  description:
    'Refuses the last one that the tenant enables (LAST_IDENTITY). Removing the e-mail address also removes the password, which signs in with it. A notice goes to every address that was verified before; the one to a removed address carries a code that restores it (`POST /account/recover`). Needs a fresh sign-in.',
  auth: 'tenant, user',
  limit: 'identities',
  params: z.object({ identityId: z.string() }),
  status: 204,
  output: z.undefined(),
  errors: ['FRESH_SIGN_IN_REQUIRED', 'IDENTITY_NOT_FOUND', 'LAST_IDENTITY'],
})

/** A one-time password as its user's export tells of it. */
const ExportedOtp = z.strictObject({
  id: z.string(),
  scope: OtpScope,
  state: OtpState,
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

/** A message as its recipient's export tells of it. */
const ExportedMessage = z.strictObject({
  id: z.string(),
  kind: z.string(),
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  state: z.string(),
  createdAt: Timestamp,
})

export const exportAccount = operation({
  method: 'GET',
  path: '/account/export',
  summary: 'Export the account',
  description:
    'Everything held about the signed-in user (GDPR art. 15 and 20), without secrets. Needs a fresh sign-in.',
  auth: 'tenant, user',
  limit: 'export',
  status: 200,
  output: z.strictObject({
    exportedAt: Timestamp,
    user: ManagedUser,
    identities: z.array(Identity.extend({ subject: z.string().nullable().describe('The provider’s id of it.') })),
    profile: Profile.nullable(),
    sessions: z.array(Session.extend({ endedAt: Timestamp.nullable().describe('null while it is open.') })),
    otps: z.array(ExportedOtp),
    messages: z.array(ExportedMessage),
  }),
  errors: ['FRESH_SIGN_IN_REQUIRED'],
})

export const recoverAccount = operation({
  method: 'POST',
  path: '/account/recover',
  summary: 'Undo a change of address',
  description:
    'When a verified e-mail address or phone number is changed or removed, the notice to it carries a code and a reference, valid for 72 hours. Send the reference as `id`, and the code. The address is restored, once: all sessions end, live one-time passwords are cancelled, and identities, the other address and a password that were added since the change are removed. A password that was changed since then becomes unknown to everyone; the user resets it. Needs no sign-in: offer a field for both on the sign-in screen.',
  auth: 'tenant',
  limit: 'recover',
  body: z.object({ id: text().describe('The reference of the notice.'), code: text({ max: 64 }) }),
  status: 201,
  output: Done,
  errors: [
    'OTP_NOT_FOUND',
    'OTP_INVALID_CODE',
    'OTP_MAX_ATTEMPTS_REACHED',
    'OTP_ALREADY_CONSUMED',
    'OTP_NOT_PENDING',
    'EMAIL_ALREADY_REGISTERED',
    'PHONE_ALREADY_REGISTERED',
    'SERVICE_UNAVAILABLE',
  ],
})
