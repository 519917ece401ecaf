import type { LocalizedText, ProfileComponent, ProfileSchema } from '../generated/types.ts'

/** One field of a profile form. */
export interface ProfileFormField {
  readonly name: string
  readonly type: ProfileComponent['type']
  /** In the form's language; the field's name if the schema has no label. */
  readonly label: string
  readonly description: string | undefined
  readonly placeholder: string | undefined
  readonly required: boolean
  /** False if the user cannot change the value. */
  readonly writable: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly rules: Readonly<Record<string, unknown>>
  /** The value to show: what the user entered, otherwise the stored one; null if there is none. */
  readonly value: unknown
  /** The message of the service or of `validate`. */
  readonly error: string | undefined
  /** What the service says beside the message, such as the rule that is not met. */
  readonly errorDetails: unknown
  /** Whether the value differs from the stored one. */
  readonly isChanged: boolean
}

/** A group of fields with its texts in the form's language. */
export interface ProfileFormSection {
  readonly section: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly fields: readonly ProfileFormField[]
}

/** Stored and entered values, and what was wrong with them. */
export interface ProfileFormValues {
  readonly stored: Readonly<Record<string, unknown>>
  readonly entered: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, unknown>>
}

/** The sections of a form, or of the presentation; one with all fields if the schema has no presentation. */
export function sectionsOf(
  schema: ProfileSchema,
  form: string | undefined,
  locale: string,
  values: ProfileFormValues,
): { fields: readonly ProfileFormField[]; sections: readonly ProfileFormSection[] } {
  const shown = form === undefined ? undefined : own(schema.forms, form)
  const fields = new Map(
    schema.components.map((component) => [
      component.name,
      fieldOf(component, shown?.required?.includes(component.name) === true, locale, values),
    ]),
  )
  const named = (names: readonly string[]) => names.flatMap((name) => fields.get(name) ?? [])
  const all = { section: form ?? '', fields: form === undefined ? [...fields.keys()] : [] }
  const layout =
    shown !== undefined || form !== undefined || schema.presentation.length === 0
      ? [{ ...all, ...shown }]
      : schema.presentation
  const sections = layout.map(({ section, ...texts }: (typeof schema.presentation)[number]) => ({
    section,
    title: localized(texts.title, locale),
    description: localized(texts.description, locale),
    fields: named(texts.fields),
  }))
  return { fields: form === undefined ? [...fields.values()] : sections[0]!.fields, sections }
}

/** Whether the user can change a field that has this stored value. */
export const isWritable = ({ writable, writeOnce }: ProfileComponent, stored: unknown): boolean =>
  writable !== false && !(writeOnce === true && stored !== null && stored !== undefined)

/** An own property, so that a field or form may be called `toString`. */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

function fieldOf(
  component: ProfileComponent,
  isRequired: boolean,
  locale: string,
  { stored, entered, errors, details }: ProfileFormValues,
): ProfileFormField {
  const { name, type, label, description, placeholder, required, rules = {} } = component
  const options = 'options' in component ? component.options : []
  const isChanged = Object.hasOwn(entered, name)
  return {
    name,
    type,
    label: localized(label, locale) ?? name,
    description: localized(description, locale),
    placeholder: localized(placeholder, locale),
    required: isRequired || required === true,
    writable: isWritable(component, own(stored, name)),
    options: options.map((option) => ({ value: option.value, label: localized(option.label, locale) ?? option.value })),
    rules,
    value: (isChanged ? entered[name] : own(stored, name)) ?? null,
    error: own(errors, name),
    errorDetails: own(details, name),
    isChanged,
  }
}

/** The text in the language, or in the next general one (`fr-CA`, `fr`), or else the default. */
function localized(text: LocalizedText | undefined, locale: string): string | undefined {
  if (text === undefined || typeof text === 'string') return text
  const tags = new Map(Object.entries(text).map(([tag, wording]) => [tag.toLowerCase(), wording]))
  for (let tag = locale.toLowerCase(); tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const wording = tags.get(tag)
    if (wording !== undefined && tag !== 'default') return wording
  }
  return text.default
}
