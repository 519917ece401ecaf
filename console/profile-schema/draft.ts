import type { Condition } from '../../contract/fields/conditions/condition.ts'
import { isOperatorNote } from '../../contract/fields/field-component.ts'
import type { FieldTypeName } from '../../contract/fields/field-types.ts'
import type {
  ComponentControl,
  ComponentOption,
  FormStep,
  LocalizedText,
  PresentationSection,
  ProfileComponent,
  ProfileForm,
  ProfileMigration,
  ProfileSchemaInput,
  StoredProfileSchema,
} from '../../packages/client/src/admin.ts'

export type {
  ComponentControl,
  ComponentOption,
  Condition,
  FieldTypeName,
  FormStep,
  LocalizedText,
  ProfileForm,
  ProfileMigration,
  StoredProfileSchema,
}

/** A field with the members of every type; which of them a type has, the server decides. */
export interface DraftField {
  /** Stays the same when the field is renamed. Not part of the document. */
  readonly key: string
  readonly name: string
  readonly type: FieldTypeName
  readonly label?: LocalizedText
  readonly description?: LocalizedText
  readonly placeholder?: LocalizedText
  readonly control?: ComponentControl
  readonly messages?: Readonly<Record<string, LocalizedText>>
  readonly required?: boolean
  readonly options?: readonly ComponentOption[]
  readonly rules?: Readonly<Record<string, unknown>>
  readonly writable?: boolean
  readonly writeOnce?: boolean
  readonly readable?: boolean
  readonly sensitive?: boolean
  readonly lockedWhen?: Condition
  readonly visibleWhen?: Condition
  readonly requiredWhen?: Condition
  readonly unique?: boolean
  readonly uniqueBy?: 'folded' | 'exact'
  readonly searchable?: boolean
  readonly claim?: boolean
  readonly claimFromUser?: boolean
}

export interface DraftSection extends Omit<PresentationSection, 'fields'> {
  readonly key: string
  readonly fields: readonly string[]
}

/** The schema that is being edited, always whole. */
export interface Draft {
  /** The name of the next version; `''`: the server numbers it; undefined: the editor suggests one. */
  readonly version?: string
  readonly fields: readonly DraftField[]
  readonly sections: readonly DraftSection[]
  readonly forms: Readonly<Record<string, ProfileForm>>
  readonly migrations: readonly ProfileMigration[]
}

/** What a draft needs of a document; everything else is in its parts. */
export interface SchemaDocument {
  readonly version?: string
  readonly components: readonly ProfileComponent[]
  readonly presentation?: readonly PresentationSection[]
  readonly forms?: Readonly<Record<string, ProfileForm>>
  readonly migrations?: readonly ProfileMigration[]
}

/** A draft that continues a published version: without its name and migrations, which brought profiles to it. */
export const draftAfter = (published: StoredProfileSchema): Draft =>
  draftOf({ ...published, version: undefined, migrations: [] })

/** The draft of a document. Fields keep the keys that they have in `before`, by name. */
export function draftOf(document: SchemaDocument, before?: Draft): Draft {
  const fieldKeys = new Map(before?.fields.map(({ name, key }) => [name, key]))
  const sectionKeys = new Map(before?.sections.map(({ section, key }) => [section, key]))
  const fields = (document.components as readonly Omit<DraftField, 'key'>[]).map((component) => ({
    key: fieldKeys.get(component.name) ?? component.name,
    ...component,
  }))
  const sections = (document.presentation ?? []).map((section) => ({
    key: sectionKeys.get(section.section) ?? section.section,
    ...section,
  }))
  return {
    ...(document.version !== undefined && { version: document.version }),
    fields: withDistinctKeys(fields),
    sections: withDistinctKeys(sections),
    forms: document.forms ?? {},
    migrations: document.migrations ?? [],
  }
}

/** A text that is being edited can name two fields alike; the server refuses it, the editor shows both. */
export function withDistinctKeys<T extends { readonly key: string }>(items: readonly T[]): readonly T[] {
  const taken = new Set<string>()
  return items.map((item) => {
    let key = item.key
    while (taken.has(key)) key = `${key}+`
    taken.add(key)
    return key === item.key ? item : { ...item, key }
  })
}

/** The document of a draft, as the server takes it. */
export function documentOf({ version, fields, sections, forms, migrations }: Draft): ProfileSchemaInput {
  return {
    ...(version && { version }),
    components: fields.map(({ key: _key, ...component }) => component as unknown as ProfileComponent),
    presentation: sections.map(({ key: _key, ...section }) => ({ ...section, fields: [...section.fields] })),
    forms: { ...forms },
    migrations: [...migrations],
  }
}

/** Whether two drafts are the same document. */
export const isSameDocument = (one: Draft, other: Draft): boolean =>
  one === other || JSON.stringify(documentOf(one)) === JSON.stringify(documentOf(other))

/** Fields that are shown together: those of a section, or those that the profile page does not show. */
export interface FieldGroup {
  /** The section's key; null: fields in no section. */
  readonly key: string | null
  readonly section: DraftSection | null
  readonly fields: readonly DraftField[]
}

/** All fields in the order of the profile page. A schema without sections has one group. */
export function groupsOf({ fields, sections }: Pick<Draft, 'fields' | 'sections'>): FieldGroup[] {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const placed = new Set(sections.flatMap((section) => section.fields))
  const groups: FieldGroup[] = sections.map((section) => ({
    key: section.key,
    section,
    fields: section.fields.flatMap((name) => byName.get(name) ?? []),
  }))
  return [...groups, { key: null, section: null, fields: fields.filter(({ name }) => !placed.has(name)) }]
}

/** Forms and sections cannot show the operator's notes. */
export const isNote = (field: DraftField): boolean => isOperatorNote(field)
