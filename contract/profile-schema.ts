/**
 * The profile schema in requests and responses, declared for its types and the OpenAPI document.
 * `server/profiles/define-profile-schema.ts` validates everything beyond the shape (names, rules, patterns, references).
 */
import { z } from 'zod'

/** A text for users: one string, or one per BCP 47 language tag with `default` for all others. */
export const LocalizedText = z.union([z.string(), z.object({ default: z.string() }).catchall(z.string())])
export type LocalizedText = z.infer<typeof LocalizedText>

/** The field types of this version. */
export const ComponentType = z.enum([
  'text',
  'multiline',
  'email',
  'phone',
  'url',
  'number',
  'integer',
  'boolean',
  'date',
  'datetime',
  'time',
  'select',
  'multiselect',
  'list',
])
export type ComponentType = z.infer<typeof ComponentType>

/** One choice of a `select` or `multiselect`: the stored value and the displayed label. */
export const ComponentOption = z.strictObject({ value: z.string(), label: LocalizedText.optional() })
export type ComponentOption = z.infer<typeof ComponentOption>

/** The value of a profile field: a scalar or an array of strings, depending on its type. */
export const ProfileFieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
export type ProfileFieldValue = z.infer<typeof ProfileFieldValue>

/** One field of the profile. Defaults: not required, writable, not write-once, no rules. */
export const ProfileComponent = z.strictObject({
  name: z.string().meta({ description: 'Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names' }),
  type: ComponentType,
  label: LocalizedText.optional(),
  description: LocalizedText.optional(),
  placeholder: LocalizedText.optional(),
  required: z
    .boolean()
    .optional()
    .meta({ description: 'true: null is rejected, so a value that is set cannot be cleared' }),
  options: z.array(ComponentOption).optional(),
  rules: z.record(z.string(), ProfileFieldValue).optional(),
  writable: z
    .boolean()
    .optional()
    .meta({ description: 'false: only the operator can set the field; values from clients are ignored' }),
  writeOnce: z.boolean().optional().meta({ description: 'true: clients cannot change the value once it is set' }),
})
export type ProfileComponent = z.infer<typeof ProfileComponent>

/** A group of fields on the profile page. */
export const PresentationSection = z.strictObject({
  section: z.string(),
  title: LocalizedText.optional(),
  description: LocalizedText.optional(),
  fields: z.array(z.string()),
})
export type PresentationSection = z.infer<typeof PresentationSection>

/** A form, such as `signUp`: the fields it shows and the ones it requires. */
export const ProfileForm = z.strictObject({
  title: LocalizedText.optional(),
  description: LocalizedText.optional(),
  fields: z.array(z.string()),
  required: z.array(z.string()).optional(),
})
export type ProfileForm = z.infer<typeof ProfileForm>

/** The schema in `GET /tenant-configuration`; published versions are immutable. */
export const ProfileSchema = z.object({
  version: z.string(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection),
  forms: z.record(z.string(), ProfileForm),
})
export type ProfileSchema = z.infer<typeof ProfileSchema>

/** One step that migrates stored profiles from the previous version; steps run in order. */
export const ProfileMigration = z.union([
  z.strictObject({ rename: z.strictObject({ from: z.string(), to: z.string() }) }),
  z.strictObject({ drop: z.string() }),
  z.strictObject({ default: z.strictObject({ field: z.string(), value: ProfileFieldValue }) }),
  z.strictObject({
    map: z.strictObject({
      field: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  }),
])
export type ProfileMigration = z.infer<typeof ProfileMigration>

/** A published schema as the operator sees it, including the migrations. */
export const StoredProfileSchema = ProfileSchema.extend({ migrations: z.array(ProfileMigration) })
export type StoredProfileSchema = z.infer<typeof StoredProfileSchema>

/** The body of `PUT /admin/tenants/{t}/profile-schema`; without `version`, the service assigns a number. */
export const ProfileSchemaInput = z.strictObject({
  version: z.string().optional(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection).default([]),
  forms: z.record(z.string(), ProfileForm).default({}),
  migrations: z.array(ProfileMigration).default([]),
})
export type ProfileSchemaInput = z.input<typeof ProfileSchemaInput>
