import { messagesInWords } from '../../contract/fields/rule-in-words.ts'
import type { ProfileSchema, StoredProfileSchema } from '../../packages/client/src/admin.ts'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { type ProfileFormSection, viewOf } from '../../packages/client/src/react/profile-fields.ts'
import { shownForm } from '../../packages/client/src/react/shown-form.ts'

/** The language of labels and names: the console's. */
export const locale = 'en'

/** The server's messages by field, with the rules behind them. */
export const profileErrors = (error: unknown): Record<string, string> =>
  error instanceof TenantryError ? messagesInWords(error) : {}

/** What was typed and what the server said about it. */
export interface Typed {
  readonly entered: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
}

export const nothingTyped: Typed = { entered: {}, errors: {} }

/**
 * The sections of the profile by the schema's presentation, in a language. Fields that no section shows come last, because
 * an operator sees every field.
 */
export function profileSections(
  schema: StoredProfileSchema,
  stored: Readonly<Record<string, unknown>>,
  { entered, errors }: Typed,
  locale: string,
): readonly ProfileFormSection[] {
  // Conditions are left to the service while a field that the user cannot read is unset. The operator reads it.
  const shown: ProfileSchema = { ...schema, components: schema.components.map((one) => ({ ...one, readable: true })) }
  const values = { stored, entered, errors, details: {}, step: undefined }
  const view = viewOf(shown, undefined, locale, values, shownForm(shown, undefined, values, null))
  const placed = new Set(view.sections.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const rest = view.fields.filter(({ name }) => !placed.has(name))
  const sections = view.sections.filter(({ fields }) => fields.length > 0)
  if (rest.length === 0) return sections
  const title = sections.length === 0 ? undefined : 'Other fields'
  return [...sections, { section: 'other fields', title, description: undefined, fields: rest }]
}
