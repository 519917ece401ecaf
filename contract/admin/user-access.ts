import { z } from 'zod'
import { Identity } from '../accounts/user.ts'
import { operation } from '../operation.ts'

const userPath = z.object({ tenantId: z.string(), userId: z.string() })

export const listUserIdentities = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId/identities',
  summary: 'List the identities of a user',
  description: 'Returns every way to sign in to the account, like `GET /account`.',
  auth: 'admin',
  scope: 'users:read',
  params: userPath,
  status: 200,
  output: z.strictObject({ identities: z.array(Identity) }),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const removeUserIdentity = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/users/:userId/identities/:identityId',
  summary: 'Remove an identity of a user',
  description:
    'Like `DELETE /account/identities/:identityId`: the last sign-in method enabled for the tenant cannot be removed (LAST_IDENTITY). A notice is sent to every previously verified address, without a code that restores a removed one. Sessions stay; end them if another person used the identity.',
  auth: 'admin',
  scope: 'users:write',
  params: userPath.extend({
    identityId: z.string().describe('`password`, `email`, `phone`, or the id of a provider identity.'),
  }),
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'LAST_IDENTITY'],
})

export const sendPasswordReset = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/users/:userId/reset-password',
  summary: 'Send a password reset code to a user',
  description:
    'Sends a code for a password reset to the verified e-mail address of a user with a password, like step `challenge` of `POST /auth/reset-password`. The user verifies it and sets a password with the id of the one-time password. It counts as a code to this address.',
  auth: 'admin',
  scope: 'users:write',
  params: userPath,
  status: 201,
  output: z.strictObject({
    otpId: z
      .string()
      .nullable()
      .describe(
        'The id of the one-time password, for `POST /otp/verify`; null for operators without the scope `codes:read`, like `otpId` of a message.',
      ),
  }),
  errors: [
    'TENANT_NOT_FOUND',
    'USER_NOT_FOUND',
    'PASSWORD_NOT_RESETTABLE',
    'RESTRICTED_CAPABILITY',
    'OTP_METHOD_NOT_AVAILABLE',
  ],
})
