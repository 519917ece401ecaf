/**
 * The profile schema as it travels: what a tenant publishes and what its clients read (contract 2.2 and 4.3, design 7).
 * These declarations carry the types and the OpenAPI document. What a schema must keep to beyond its shape (names, rules,
 * patterns, references) is judged by `server/profiles/define-profile-schema.ts`, which also writes the messages.
 */
import { z } from 'zod'

/** A text for people: one string for everyone, or one per BCP 47 language tag with `default` for all others. */
export const LocalizedText = z.union([z.string(), z.object({ default: z.string() }).catchall(z.string())])
export type LocalizedText = z.infer<typeof LocalizedText>

/** The field types that can be published today. */
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

/** One choice of a `select` or `multiselect`: the value that is stored, and what people read. */
export const ComponentOption = z.strictObject({ value: z.string(), label: LocalizedText.optional() })
export type ComponentOption = z.infer<typeof ComponentOption>

/** What a profile field can hold: a scalar or an array of strings, as its type says (design 7). */
export const ProfileFieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
export type ProfileFieldValue = z.infer<typeof ProfileFieldValue>

/** One field of the profile. Absent means: not required, writable, not write-once, no rules. */
export const ProfileComponent = z.strictObject({
  name: z.string().meta({ description: 'Field name: ^[a-z][A-Za-z0-9_]{0,63}$, none of the reserved names' }),
  type: ComponentType,
  label: LocalizedText.optional(),
  description: LocalizedText.optional(),
  placeholder: LocalizedText.optional(),
  required: z.boolean().optional().meta({ description: 'true: null is refused, so a value once set stays set' }),
  options: z.array(ComponentOption).optional(),
  rules: z.record(z.string(), ProfileFieldValue).optional(),
  writable: z
    .boolean()
    .optional()
    .meta({ description: 'false: only the operator sets it; a client’s value is ignored' }),
  writeOnce: z.boolean().optional().meta({ description: 'true: once set, a client cannot change it' }),
})
export type ProfileComponent = z.infer<typeof ProfileComponent>

/** One block of fields on the profile page. */
export const PresentationSection = z.strictObject({
  section: z.string(),
  title: LocalizedText.optional(),
  description: LocalizedText.optional(),
  fields: z.array(z.string()),
})
export type PresentationSection = z.infer<typeof PresentationSection>

/** A form, such as `signUp`: the fields it shows and the ones it cannot do without. */
export const ProfileForm = z.strictObject({
  title: LocalizedText.optional(),
  description: LocalizedText.optional(),
  fields: z.array(z.string()),
  required: z.array(z.string()).optional(),
})
export type ProfileForm = z.infer<typeof ProfileForm>

/** The schema clients read in `GET /tenant-configuration`; a published version never changes. */
export const ProfileSchema = z.object({
  version: z.string(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection),
  forms: z.record(z.string(), ProfileForm),
})
export type ProfileSchema = z.infer<typeof ProfileSchema>

/** One step that carries stored profiles from the version before to this one; steps run in the order given. */
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

/** A published schema as the operator reads it back: with the migrations clients never see. */
export const StoredProfileSchema = ProfileSchema.extend({ migrations: z.array(ProfileMigration) })
export type StoredProfileSchema = z.infer<typeof StoredProfileSchema>

/** Body of `PUT /admin/tenants/{t}/profile-schema`: without a `version` the service numbers it. */
export const ProfileSchemaInput = z.strictObject({
  version: z.string().optional(),
  components: z.array(ProfileComponent),
  presentation: z.array(PresentationSection).default([]),
  forms: z.record(z.string(), ProfileForm).default({}),
  migrations: z.array(ProfileMigration).default([]),
})
export type ProfileSchemaInput = z.input<typeof ProfileSchemaInput>
