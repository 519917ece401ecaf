import { z } from 'zod'
import { operation } from './operation.ts'
import { ProfileSchemaInput, StoredProfileSchema } from './profile-schema.ts'

const MiB = 1_048_576

const tenantPath = z.object({ tenantId: z.string() })

/** Validated by `server/profiles/define-profile-schema.ts`, whose messages name the component and the problem. */
const ProfileSchemaCandidate = z.custom<ProfileSchemaInput>((value) => typeof value === 'object')

export const readProfileSchema = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema',
  summary: 'Read the profile schema',
  description: 'Returns the current version, or the one given by `version`.',
  auth: 'admin',
  params: tenantPath,
  query: z.object({ version: z.string().optional() }),
  status: 200,
  output: StoredProfileSchema,
  errors: ['TENANT_NOT_FOUND', 'PROFILE_SCHEMA_VERSION_NOT_FOUND'],
})

export const publishProfileSchema = operation({
  method: 'PUT',
  path: '/admin/tenants/:tenantId/profile-schema',
  summary: 'Publish a profile schema',
  description:
    'Makes the new version the current one. Published versions are immutable and cannot become current again: publishing the same content again has no effect, and an existing version with different content is rejected. Without `version`, the service assigns a number.',
  auth: 'admin',
  params: tenantPath,
  body: ProfileSchemaCandidate,
  bodyShape: ProfileSchemaInput,
  maxBodyBytes: MiB,
  status: 200,
  output: StoredProfileSchema,
  errors: ['TENANT_NOT_FOUND', 'PROFILE_SCHEMA_VERSION_EXISTS'],
})

export const checkProfileSchema = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/profile-schema/check',
  summary: 'Check a profile schema',
  description:
    'Reports what publishing the schema would break, and how many stored profiles would become invalid. Changes nothing.',
  auth: 'admin',
  params: tenantPath,
  body: ProfileSchemaCandidate,
  bodyShape: ProfileSchemaInput,
  maxBodyBytes: MiB,
  status: 201,
  output: z.strictObject({
    changes: z.array(
      z.strictObject({
        field: z.string(),
        kind: z.enum(['removed', 'retyped', 'narrowed', 'conditional']),
        message: z.string(),
      }),
    ),
    profiles: z.int().describe('Stored profiles checked.'),
    failingProfiles: z.int().describe('Profiles with at least one value that the new schema rejects.'),
    failingFields: z
      .record(z.string(), z.int())
      .describe('Number of profiles in which each field is invalid, by field name.'),
  }),
  errors: ['TENANT_NOT_FOUND'],
})
