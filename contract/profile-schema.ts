/**
 * The profile schema in requests and responses, declared for its types, the OpenAPI document and the JSON Schema of editors.
 * `server/profiles/schema/define/define-profile-schema.ts` validates everything beyond the shape (names, rules, patterns, references).
 */
import { z } from 'zod'
import { ProfileComponent } from './profile-schema/component.ts'
import { PresentationSection, ProfileForm } from './profile-schema/layout.ts'
import { ProfileMigration } from './profile-schema/migration.ts'

export {
  ComponentControl,
  ComponentOption,
  ComponentType,
  ProfileComponent,
  ProfileFieldValue,
} from './profile-schema/component.ts'
export { Condition, FieldCondition } from './profile-schema/condition.ts'
export { ProfileSchemaDelta } from './profile-schema/delta.ts'
export { FormStep, PresentationSection, ProfileForm } from './profile-schema/layout.ts'
export { LocalizedText } from './profile-schema/localized-text.ts'
export { ProfileMigration } from './profile-schema/migration.ts'

/** The schema in `GET /tenant-configuration`; published versions are immutable. */
export const ProfileSchema = z.object({
  version: z.string(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection),
  forms: z.record(z.string(), ProfileForm),
})
export type ProfileSchema = z.infer<typeof ProfileSchema>

/** A published schema as the operator sees it, including the migrations. */
export const StoredProfileSchema = ProfileSchema.extend({ migrations: z.array(ProfileMigration) })
export type StoredProfileSchema = z.infer<typeof StoredProfileSchema>

/** The body of `PUT /admin/tenants/{t}/profile-schema`; without `version`, the service assigns a number. */
export const ProfileSchemaInput = z.strictObject({
  $schema: z.string().optional().meta({ description: 'For editors: `GET /profile-schema.json`. Ignored.' }),
  version: z.string().optional(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection).default([]),
  forms: z.record(z.string(), ProfileForm).default({}),
  migrations: z.array(ProfileMigration).default([]),
})
export type ProfileSchemaInput = z.input<typeof ProfileSchemaInput>
