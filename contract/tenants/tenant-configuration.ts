import { z } from 'zod'
import { operation } from '../operation.ts'
import { ProfileSchema, ProfileSchemaDelta } from '../profile-schema.ts'

/** Sign-in methods by an ID token of an identity provider (OpenID Connect). */
export const SocialProvider = z.enum(['google', 'apple', 'facebook'])
export type SocialProvider = z.infer<typeof SocialProvider>

/** Sign-in methods that a tenant can enable. */
export const AuthMethod = z.enum(['password', 'otp', 'guest', ...SocialProvider.options])
export type AuthMethod = z.infer<typeof AuthMethod>

/** The configuration as clients see it: an open object with one key per module. */
export const PublicTenantConfiguration = z.looseObject({
  auth: z.strictObject({ methods: z.array(AuthMethod) }),
  otp: z.strictObject({ length: z.int() }),
  upload: z.strictObject({ allowedTypes: z.array(z.string()), maxSize: z.number() }).optional(),
  profileSchema: ProfileSchema.optional(),
  profileSchemaDelta: ProfileSchemaDelta.optional(),
})
export type PublicTenantConfiguration = z.infer<typeof PublicTenantConfiguration>

export const getTenantConfiguration = operation({
  method: 'GET',
  path: '/tenant-configuration',
  summary: 'Read the tenant configuration',
  description:
    'Returns what a client needs before a user signs in. Omits `profileSchema` if `schemaVersion` is the current version. With `schemaDelta=true`, a client that holds a recent version gets `profileSchemaDelta` in its place. Sends an ETag and supports If-None-Match.',
  auth: 'tenant',
  query: z.object({
    schemaVersion: z.string().optional().describe('The version of the profile schema that the client holds.'),
    schemaDelta: z
      .string()
      .optional()
      .describe(
        '`true`: if `schemaVersion` is one of the last 20 versions, `profileSchemaDelta` replaces `profileSchema`, unless it has 60 % of the size or more.',
      ),
    locale: z
      .string()
      .optional()
      .describe(
        'A BCP 47 language tag: each text of the profile schema is one string, in this language, the next more general one (`fr-CA`, `fr`) or the default.',
      ),
  }),
  status: 200,
  output: PublicTenantConfiguration,
  envelope: false,
  errors: ['TENANT_NOT_CONFIGURED'],
})
