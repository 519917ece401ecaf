import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { Done, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { text } from '../text.ts'
import { Activity } from './activity.ts'
import { NextForm } from './next-form.ts'
import { DeliveryMethod, OtpScope, OtpState } from './otp.ts'
import { NewPassword } from './password-reset.ts'
import { Profile } from './profile.ts'
import { SessionAnswer } from './session.ts'
import { OtpProof, SocialProof } from './sign-in.ts'
import { Account, Identity, ManagedUser, OpenSession } from './user.ts'

export const getAccount = operation({
  method: 'GET',
  path: '/account',
  summary: 'Read the account',
  description: 'Returns the signed-in user with all sign-in methods of the account.',
  auth: 'tenant, user',
  status: 200,
  output: Account.extend({ nextForm: NextForm }),
  errors: [],
})

export const deleteAccount = operation({
  method: 'DELETE',
  path: '/account',
  summary: 'Delete the account',
  description:
    'Deletes the signed-in user with the profile and the linked identities, and cancels unused one-time passwords. Afterwards, requests with the user’s access tokens fail with TOKEN_USER_NOT_FOUND. A notice is sent to every verified address. Requires a fresh sign-in.',
  auth: 'tenant, user',
  limit: 'delete-account',
  status: 204,
  output: z.undefined(),
  errors: ['FRESH_SIGN_IN_REQUIRED'],
})

const newSession = SessionAnswer.optional().describe(
  'Present if this was the account’s first sign-in method. Replace both tokens.',
)

export const changePassword = operation({
  method: 'POST',
  path: '/account/password',
  summary: 'Change the password',
  description:
    'Also sets the first password of an account that has an e-mail address. Requires a fresh sign-in if `currentPassword` is omitted. Ends all other sessions, cancels pending password resets and address changes, and sends a notice to every verified address. If the password is the account’s first sign-in method (that of a guest), all sessions end and the response contains a new one in `session`: replace both tokens. Limited to five attempts per account and hour (`password-changes`).',
  auth: 'tenant, user',
  limit: 'change-password',
  body: z.object({ currentPassword: text().optional(), password: NewPassword }),
  status: 201,
  output: Done.extend({ session: newSession }),
  errors: [
    'INVALID_CREDENTIALS',
    'FRESH_SIGN_IN_REQUIRED',
    'AUTH_METHOD_NOT_ENABLED',
    'EMAIL_NOT_SET',
    'TOO_MANY_REQUESTS',
  ],
})

export const listSessions = operation({
  method: 'GET',
  path: '/account/sessions',
  summary: 'List the sessions',
  description:
    'Returns the open sessions of the signed-in user, most recently used first; the latest 1,000 if there are more.',
  auth: 'tenant, user',
  status: 200,
  output: z.strictObject({ sessions: z.array(OpenSession) }),
  errors: [],
})

export const endSession = operation({
  method: 'DELETE',
  path: '/account/sessions/:sessionId',
  summary: 'End a session',
  description: 'Signs out another device of the signed-in user, or this one, effective immediately.',
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
  summary: 'Add a sign-in method',
  description:
    'Links a provider account by its ID token or an address by a verified `otp_signin` one-time password, or adds a password. A guest becomes a full user and keeps id and profile. If this is the account’s first sign-in method, all sessions end and the response contains a new one in `session`: replace both tokens. Linking an identity that is already linked to this account succeeds. A notice is sent to every previously verified address. Limited to ten additions per account and hour (`identity-additions`). Requires a fresh sign-in, except for guests.',
  auth: 'tenant, user',
  limit: 'identities',
  body: z.discriminatedUnion('method', [
    z.object({
      method: z.literal('password'),
      password: NewPassword,
      email: emailAddress.optional().describe('Required if the account has none.'),
    }),
    OtpProof,
    SocialProof,
  ]),
  status: 201,
  output: Account.extend({ session: newSession }),
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
  ],
})

export const removeIdentity = operation({
  method: 'DELETE',
  path: '/account/identities/:identityId',
  summary: 'Remove a sign-in method',
  description:
    'The last sign-in method enabled for the tenant cannot be removed (LAST_IDENTITY). Removing the e-mail address also removes the password. Where codes do not sign in, removing the password also removes an e-mail address that was never verified. A notice is sent to every previously verified address; the notice to a removed address contains a code that restores it (`POST /account/recover`). Requires a fresh sign-in. For 72 hours after an undo, removing the restored address requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).',
  auth: 'tenant, user',
  limit: 'identities',
  params: z.object({ identityId: z.string() }),
  status: 204,
  output: z.undefined(),
  errors: ['FRESH_SIGN_IN_REQUIRED', 'ADDRESS_PROOF_REQUIRED', 'IDENTITY_NOT_FOUND', 'LAST_IDENTITY'],
})

/** A one-time password in the export of an account. */
const ExportedOtp = z.strictObject({
  id: z.string(),
  scope: OtpScope,
  state: OtpState,
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

/** A message in the export of an account. */
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
    'Returns all data stored about the signed-in user (GDPR art. 15 and 20), without secrets. Requires a fresh sign-in.',
  auth: 'tenant, user',
  limit: 'export',
  status: 200,
  output: z.strictObject({
    exportedAt: Timestamp,
    user: ManagedUser.extend({
      emailVerifiedAt: Timestamp.nullable(),
      phoneVerifiedAt: Timestamp.nullable(),
      passwordChangedAt: Timestamp.nullable().describe(
        'When the password was last set or reset; null if never since sign-up.',
      ),
      codesValidFrom: Timestamp.nullable().describe(
        'One-time passwords to sign in that were requested before are refused; null if all are accepted.',
      ),
      formPromptedAt: Timestamp.optional().describe(
        'When a sign-in last named a form to complete; absent if none has.',
      ),
    }),
    identities: z.array(
      Identity.extend({ subject: z.string().nullable().describe('The id of the account at the provider.') }),
    ),
    profile: Profile.nullable(),
    archived: z
      .record(z.string(), z.unknown())
      .describe(
        'Stored values that the profile does not show: of removed fields, until they are erased, and of fields whose type has changed or that are hidden.',
      ),
    sessions: z.array(
      OpenSession.extend({
        amr: z.array(z.string()).describe('How the user signed in (RFC 8176).'),
        endedAt: Timestamp.nullable().describe('null while the session is open.'),
      }),
    ),
    otps: z.array(ExportedOtp),
    messages: z.array(ExportedMessage),
    activity: z.array(Activity).describe('What happened to the account, newest first, as in `GET /account/activity`.'),
  }),
  errors: ['FRESH_SIGN_IN_REQUIRED', 'EVENT_LOG_DAMAGED'],
})
