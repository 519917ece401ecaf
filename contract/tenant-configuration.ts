import { z } from 'zod'
import { operation } from './operation.ts'
import { ProfileSchema } from './profile-schema.ts'

/** Sign-in methods a tenant can enable (contract 2.2, design 3). */
export const AuthMethod = z.enum(['password', 'otp', 'guest', 'google', 'apple', 'facebook'])
export type AuthMethod = z.infer<typeof AuthMethod>

/** Those of them that another service vouches for, with an OpenID Connect ID token. */
export const SocialProvider = z.enum(['google', 'apple', 'facebook'])
export type SocialProvider = z.infer<typeof SocialProvider>

/** The configuration as clients see it: an open object, one key a module (contract 2.2). */
export const PublicTenantConfiguration = z.looseObject({
  auth: z.strictObject({ methods: z.array(AuthMethod) }),
  otp: z.strictObject({ length: z.int() }),
  upload: z.strictObject({ allowedTypes: z.array(z.string()), maxSize: z.number() }).optional(),
  profileSchema: ProfileSchema.optional(),
})
export type PublicTenantConfiguration = z.infer<typeof PublicTenantConfiguration>

export const getTenantConfiguration = operation({
  method: 'GET',
  path: '/tenant-configuration',
  summary: 'Tenant configuration',
  description:
    'What a client needs before anybody signs in. `profileSchema` is left out when `schemaVersion` is the current version (contract 4.3). Carries an ETag and honours If-None-Match.',
  auth: 'tenant',
  query: z.object({ schemaVersion: z.string().optional() }),
  status: 200,
  output: PublicTenantConfiguration,
  envelope: false,
  errors: ['TENANT_NOT_CONFIGURED'],
})
