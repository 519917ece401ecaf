import { z } from 'zod'
import { operation } from './operation.ts'
import { Identity } from './user.ts'

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
