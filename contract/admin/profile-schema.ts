import { z } from 'zod'
import { PageQuery, page, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { ProfileSchemaInput, StoredProfileSchema } from '../profile-schema.ts'

const MiB = 1_048_576

const tenantPath = z.object({ tenantId: z.string() })

/** Validated by `server/profiles/schema/define/define-profile-schema.ts`, whose messages name the component and the problem. */
const ProfileSchemaCandidate = z.custom<ProfileSchemaInput>((value) => typeof value === 'object')

export const readProfileSchema = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema',
  summary: 'Read the profile schema',
  description: 'Returns the current version, or the one given by `version`.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath,
  query: z.object({ version: z.string().optional() }),
  status: 200,
  output: StoredProfileSchema,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND', 'PROFILE_SCHEMA_VERSION_NOT_FOUND'],
})

/** Whether a version is in use: it becomes current once its unique and searchable fields are indexed (`building`). */
export const ProfileSchemaState = z.enum(['current', 'superseded', 'building', 'failed'])
export type ProfileSchemaState = z.infer<typeof ProfileSchemaState>

/** What a valid schema does that its author hardly wants, such as a step of a form that users cannot save. */
export const ProfileSchemaWarning = z.strictObject({
  path: z.string().describe('The dotted path in the schema.'),
  message: z.string().describe('For the operator.'),
})
export type ProfileSchemaWarning = z.infer<typeof ProfileSchemaWarning>

const warnings = z
  .array(ProfileSchemaWarning)
  .describe('Parts of the schema that cannot work, although it is valid; up to 100. They do not prevent publishing.')

export const publishProfileSchema = operation({
  method: 'PUT',
  path: '/admin/tenants/:tenantId/profile-schema',
  summary: 'Publish a profile schema',
  description:
    'Makes the new version the current one. Published versions are immutable and cannot become current again: publishing the same content again has no effect, and an existing version with different content is rejected. Without `version`, the service assigns a number. A version with newly unique or searchable fields becomes current when stored profiles are indexed.',
  auth: 'admin',
  scope: 'schema:write',
  params: tenantPath,
  query: z.object({
    ifBreaking: z
      .enum(['allow', 'refuse'])
      .optional()
      .describe('`refuse`: publishes nothing if `check` would report changes. Default: `allow`.'),
  }),
  body: ProfileSchemaCandidate,
  bodyShape: ProfileSchemaInput,
  maxBodyBytes: MiB,
  status: 200,
  output: StoredProfileSchema.extend({
    state: ProfileSchemaState.describe(
      '`building`: more than 2,000 profiles are being indexed. `failed`: users have equal values in a unique field. `superseded`: published before, and replaced since.',
    ),
    duplicates: z
      .record(z.string(), z.int())
      .optional()
      .describe('When `failed`: the number of values that several users have, by field.'),
    warnings,
  }),
  revisioned: true,
  errors: [
    'TENANT_NOT_FOUND',
    'PRECONDITION_FAILED',
    'PROFILE_SCHEMA_VERSION_EXISTS',
    'PROFILE_SCHEMA_BREAKING',
    'PROFILE_SCHEMA_BUILDING',
  ],
})

/** Two users with the same value in a field that the version makes unique. */
const ProfileSchemaConflict = z.strictObject({ field: z.string(), userIds: z.array(z.string()) })

const published = {
  state: ProfileSchemaState,
  publishedAt: Timestamp,
  publishedBy: z
    .string()
    .nullable()
    .describe(
      'The id of the operator, `root` for the root key. `admin` or null for a version that an earlier release stored.',
    ),
  conflicts: z
    .array(ProfileSchemaConflict)
    .optional()
    .describe('Only of a version that failed: up to 100 pairs of users with the same value in a unique field.'),
}

/** A version of the profile schema in the list of versions. */
export const ProfileSchemaVersion = z.strictObject({
  version: z.string(),
  ordinal: z.int().describe('Its place in the order of publication.'),
  ...published,
  fields: z.int().describe('The number of its components.'),
  migrations: z.int().describe('The number of its migration steps.'),
  profiles: z.int().describe('Profiles stored under this version and not migrated since.'),
})
export type ProfileSchemaVersion = z.infer<typeof ProfileSchemaVersion>

export const listProfileSchemaVersions = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema/versions',
  summary: 'List the versions of the profile schema',
  description: 'Returns every published version, newest first.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath,
  query: PageQuery,
  status: 200,
  output: page(ProfileSchemaVersion),
  errors: ['TENANT_NOT_FOUND'],
})

export const readProfileSchemaVersion = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema/versions/:version',
  summary: 'Read a version of the profile schema',
  description: 'Returns the document as published, with its state.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath.extend({ version: z.string() }),
  status: 200,
  output: StoredProfileSchema.extend(published),
  errors: ['TENANT_NOT_FOUND', 'PROFILE_SCHEMA_VERSION_NOT_FOUND'],
})

export const readProfileMigration = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema/migration',
  summary: 'Read the progress of the profile migration',
  description:
    'Returns how many stored profiles are still to be migrated to the current version. A profile is migrated when it is next changed, and in the background.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath,
  status: 200,
  output: z.strictObject({
    version: z.string().describe('The current version.'),
    profiles: z.int().describe('All stored profiles.'),
    pending: z.int().describe('Profiles stored under another version.'),
  }),
  errors: ['TENANT_NOT_FOUND'],
})

/** A change that breaks stored profiles or clients of the older schema. */
export const ProfileSchemaChange = z.strictObject({
  field: z.string().describe("The field's name in the older schema, or in the newer one if only that has it."),
  kind: z.enum(['removed', 'retyped', 'narrowed', 'conditional']),
  message: z.string().describe('For the operator.'),
})

export const diffProfileSchemas = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/profile-schema/diff',
  summary: 'Compare two versions of the profile schema',
  description:
    'Returns what the later version breaks for profiles and clients of the earlier one, in the words of `check`. The migrations of every version between them are applied.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath,
  query: z.object({
    from: z.string().describe('The earlier version.'),
    to: z.string().optional().describe('The later version. Default: the current one.'),
  }),
  status: 200,
  output: z.strictObject({ from: z.string(), to: z.string(), changes: z.array(ProfileSchemaChange) }),
  errors: ['TENANT_NOT_FOUND', 'PROFILE_SCHEMA_VERSION_NOT_FOUND'],
})

const counts = z.record(z.string(), z.int()).nullable()

export const checkProfileSchema = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/profile-schema/check',
  summary: 'Check a profile schema',
  description:
    'Reports what publishing the schema would break, and how many stored profiles would become invalid. Changes nothing. For operators without the scope `profiles:read` no profile is read, and the counts of profiles and values are null: rules and conditions of a schema can ask for any value.',
  auth: 'admin',
  scope: 'schema:read',
  params: tenantPath,
  body: ProfileSchemaCandidate,
  bodyShape: ProfileSchemaInput,
  maxBodyBytes: MiB,
  status: 201,
  output: z.strictObject({
    effect: z
      .enum(['new', 'unchanged', 'superseded', 'taken', 'waiting'])
      .describe(
        'What publishing would do: make a `new` version; nothing, because this version is current or building (`unchanged`) or was replaced since (`superseded`); or be refused, because the version exists with other content (`taken`) or while another version is building (`waiting`).',
      ),
    changes: z.array(ProfileSchemaChange),
    profiles: z.int().nullable().describe('Stored profiles checked; null without the scope `profiles:read`.'),
    failingProfiles: z.int().nullable().describe('Profiles with at least one value that the new schema rejects.'),
    failingFields: counts.describe('Number of profiles in which each field is invalid, by field name.'),
    uncastable: counts.describe(
      'Number of profiles whose value a `cast` step of the schema leaves as it is, by field name.',
    ),
    duplicates: counts.describe(
      'Number of values that several users have in a unique field, by field name: publishing would fail.',
    ),
    untranslated: z
      .record(z.string(), z.array(z.string()))
      .describe('Texts that lack a language which other texts have: paths by language tag, up to 10,000.'),
    warnings,
  }),
  errors: ['TENANT_NOT_FOUND'],
})
