import { z } from 'zod'
import { NewPassword } from '../accounts/password-reset.ts'
import { Profile, ProfileUpdate, ReadProfile } from '../accounts/profile.ts'
import { ManagedUser, OpenSession, Restriction, Suspension, UserOrder, UserState } from '../accounts/user.ts'
import { emailAddress } from '../email-address.ts'
import { PageQuery, page } from '../envelope.ts'
import { operation } from '../operation.ts'
import { parameterGroup } from '../parameter-group.ts'
import { phoneNumber } from '../phone-number.ts'
import { UserCapability } from '../tenants/capabilities.ts'

const tenantPath = z.object({ tenantId: z.string() })
const userPath = z.object({ tenantId: z.string(), userId: z.string() })

export const createUser = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/users',
  summary: 'Create a user',
  description:
    'Creates a user with an e-mail address, a phone number or both, and optionally a password and a profile, in one transaction. The profile may contain fields with `writable: false`. Sends no message.',
  auth: 'admin',
  scope: 'users:write',
  params: tenantPath,
  idempotent: true,
  body: z.object({
    email: emailAddress.optional(),
    emailVerified: z
      .boolean()
      .optional()
      .describe(
        'true: you guarantee that the address belongs to the user. Otherwise, its first proof by a code, a reset or a provider removes the credentials that were set before.',
      ),
    phone: phoneNumber.optional(),
    phoneVerified: z.boolean().optional().describe('true: you guarantee that the number belongs to the user.'),
    password: NewPassword.optional(),
    profile: ProfileUpdate.optional(),
  }),
  status: 201,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'EMAIL_ALREADY_REGISTERED', 'PHONE_ALREADY_REGISTERED'],
})

export const listUsers = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users',
  summary: 'List users',
  description:
    'Returns the users of the tenant, oldest first by default. The filters match exactly, except `id` and `q`, which match the beginning. A search by `q` returns users in the order of their addresses, a search by profile fields in the order of the first named field, then oldest first. A user matches when all filters and conditions hold. A page can have fewer users than `limit` and a next page when few of the users that it read match.',
  auth: 'admin',
  scope: 'users:read',
  // A search discloses values: each request halves the range in which one can be.
  queryScopes: { profile: 'profiles:read' },
  params: tenantPath,
  query: PageQuery.extend({
    q: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .describe(
        'Only users whose address begins with this; with a leading `+`, whose number does; for the beginning of an id, such as `01KF`, whose id does. Not together with `email`, `phone`, `id` or `profile`.',
      ),
    state: UserState.optional().describe('Only users in this state.'),
    order: UserOrder.optional().describe(
      'By creation, the default is `oldest`. Not together with `q` or `profile`, whose results have another order.',
    ),
    email: z.string().optional().describe('Only the user with this address.'),
    phone: z.string().optional().describe('Only the user with this number.'),
    id: z.string().optional().describe('Only users whose id starts with this.'),
    // A position in a search contains a value.
    cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the previous page of the same search.'),
    profile: parameterGroup(
      'Conditions on `searchable` fields of the profile, at most 3: `profile.city=paris` for an equal value, `profile.name.prefix=an` for its beginning (text, email, phone, url), `profile.age.min=18` and `profile.age.max=30` for a range (number, integer, date), which is one condition. Name the condition that the fewest users meet first: it is read first.',
    ),
  }),
  status: 200,
  output: page(ManagedUser),
  errors: ['TENANT_NOT_FOUND'],
})

export const getUser = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Read a user',
  description: 'Returns the user with restrictions, suspension and last activity.',
  auth: 'admin',
  scope: 'users:read',
  params: userPath,
  status: 200,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const updateUser = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Update a user',
  description:
    'All requests and sign-ins of a suspended user fail with RESTRICTED_CAPABILITY, effective immediately. A restriction withdraws one capability. Both have an optional reason and an optional end, which must be in the future. `restrictedCapabilities` sets restrictions without either. A replaced address is verified unless `emailVerified` or `phoneVerified` is false: you guarantee that it belongs to the user. When an address changes or loses its verification, pending codes are cancelled; when it changes, the addresses that were verified before get a notice. Password, identities and, except for guests, sessions stay, also when an unverified address becomes verified. If you are not sure that they are those of the person with the address, leave it unverified: its first proof by a code, a reset or a provider removes them.',
  auth: 'admin',
  scope: 'users:write',
  params: userPath,
  body: z
    .object({
      email: emailAddress.optional(),
      emailVerified: z
        .boolean()
        .optional()
        .describe(
          'Whether you guarantee that the address belongs to the user; of the address in `email`, or the stored one. Default for a replaced address: true.',
        ),
      phone: phoneNumber.optional(),
      phoneVerified: z.boolean().optional().describe('The same for the number.'),
      restrictedCapabilities: z.array(UserCapability).max(20).optional(),
      restrictions: z
        .array(Restriction.partial({ reason: true, until: true }))
        .max(20)
        .optional(),
      suspension: Suspension.partial().nullable().optional().describe('null lifts the suspension.'),
    })
    .superRefine(({ restrictedCapabilities, restrictions }, context) => {
      if (restrictedCapabilities === undefined || restrictions === undefined) return
      context.addIssue({ code: 'custom', path: ['restrictions'], message: 'Validation rule not met' })
    }),
  status: 200,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND', 'EMAIL_ALREADY_REGISTERED', 'PHONE_ALREADY_REGISTERED'],
})

export const deleteUser = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Delete a user',
  description: 'Deletes the user with the profile and cancels unused one-time passwords. Sends no notice.',
  auth: 'admin',
  scope: 'users:delete',
  params: userPath,
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

const sessionList = z.strictObject({ sessions: z.array(OpenSession.omit({ current: true })) })

export const listUserSessions = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId/sessions',
  summary: 'List the sessions of a user',
  description: 'Returns the open sessions of the user, most recently used first; the latest 1,000 if there are more.',
  auth: 'admin',
  scope: 'sessions:read',
  params: userPath,
  status: 200,
  output: sessionList,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const endUserSessions = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/users/:userId/sessions',
  summary: 'End all sessions of a user',
  description:
    'Signs the user out everywhere, effective immediately in every process, and cancels their live one-time passwords. Codes to sign in that were requested before are refused.',
  auth: 'admin',
  scope: 'sessions:write',
  params: userPath,
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const endUserSession = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/users/:userId/sessions/:sessionId',
  summary: 'End a session of a user',
  description: 'Effective immediately in every process.',
  auth: 'admin',
  scope: 'sessions:write',
  params: userPath.extend({ sessionId: z.string() }),
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND', 'SESSION_NOT_FOUND'],
})

export const readUserProfile = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId/profile',
  summary: 'Read the profile of a user',
  description:
    'Returns the profile like `GET /account/profile`, with every field of the profile schema, null where unset.',
  auth: 'admin',
  scope: 'profiles:read',
  params: userPath,
  status: 200,
  output: ReadProfile,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const updateUserProfile = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId/users/:userId/profile',
  summary: 'Update the profile of a user',
  description: 'Like `PATCH /account/profile`, including fields with `writable: false`.',
  auth: 'admin',
  scope: 'profiles:write',
  params: userPath,
  body: ProfileUpdate,
  status: 200,
  output: Profile,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND', 'PROFILE_CHANGED'],
})
