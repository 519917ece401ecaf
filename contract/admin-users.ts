import { z } from 'zod'
import { ManagedUser } from './accounts.ts'
import { UserCapability } from './capabilities.ts'
import { emailAddress } from './email-address.ts'
import { PageQuery, page } from './envelope.ts'
import { operation } from './operation.ts'
import { NewPassword } from './password-reset.ts'
import { phoneNumber } from './phone-number.ts'
import { Profile, ProfileUpdate } from './profile.ts'

const tenantPath = z.object({ tenantId: z.string() })
const userPath = z.object({ tenantId: z.string(), userId: z.string() })

export const createUser = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/users',
  summary: 'Create a user',
  auth: 'admin',
  params: tenantPath,
  body: z.object({
    email: emailAddress.optional(),
    phone: phoneNumber.optional(),
    password: NewPassword.optional(),
    profile: ProfileUpdate.optional(),
  }),
  status: 201,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'EMAIL_ALREADY_REGISTERED', 'PHONE_ALREADY_REGISTERED', 'SERVICE_UNAVAILABLE'],
})

export const listUsers = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users',
  summary: 'List users',
  auth: 'admin',
  params: tenantPath,
  query: PageQuery.extend({ email: z.string().optional().describe('Only the user with this address.') }),
  status: 200,
  output: page(ManagedUser),
  errors: ['TENANT_NOT_FOUND'],
})

export const getUser = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Read a user',
  auth: 'admin',
  params: userPath,
  status: 200,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const updateUser = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Update a user',
  auth: 'admin',
  params: userPath,
  body: z.object({ restrictedCapabilities: z.array(UserCapability).max(20).optional() }),
  status: 200,
  output: ManagedUser,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const deleteUser = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/users/:userId',
  summary: 'Delete a user',
  description: 'With the profile; live one-time passwords are cancelled.',
  auth: 'admin',
  params: userPath,
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const readUserProfile = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/:userId/profile',
  summary: 'Read the profile of a user',
  auth: 'admin',
  params: userPath,
  status: 200,
  output: Profile,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND', 'PROFILE_NOT_FOUND'],
})

export const updateUserProfile = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId/users/:userId/profile',
  summary: 'Update the profile of a user',
  description: 'As the user would, and fields that only the operator writes too.',
  auth: 'admin',
  params: userPath,
  body: ProfileUpdate,
  status: 200,
  output: Profile,
  errors: ['TENANT_NOT_FOUND', 'USER_NOT_FOUND'],
})
