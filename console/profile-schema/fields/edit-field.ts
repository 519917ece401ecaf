import type { Draft, DraftField, FieldTypeName, ProfileMigration, StoredProfileSchema } from '../draft.ts'
import { isNote } from '../draft.ts'
import { originOf, readStoredNames, type StoredNames, writeStoredNames } from '../migrations/stored-names.ts'
import {
  mapComparedValue,
  mapMigration,
  mapReferences,
  mapShown,
  readBy,
  withOrWithout,
  without,
  withoutTarget,
} from '../references.ts'
import { takesOptions } from './field-kinds.ts'
import { castBetween, retyped } from './retype-field.ts'

export const fieldOf = ({ fields }: Draft, key: string): DraftField | undefined =>
  fields.find((field) => field.key === key)

export const replaceField = (draft: Draft, field: DraftField): Draft => ({
  ...draft,
  fields: draft.fields.map((one) => (one.key === field.key ? field : one)),
})

/** Changes members of a field; undefined removes one. A field that becomes the operator's note leaves sections and forms. */
export function changeField(draft: Draft, key: string, patch: Partial<DraftField>): Draft {
  const before = fieldOf(draft, key)
  if (before === undefined) return draft
  const field = Object.entries(patch).reduce(
    (changed, [member, value]) => withOrWithout(changed, member as keyof DraftField, value),
    before,
  )
  const changed = replaceField(draft, field)
  return isNote(field) && !isNote(before) ? mapShown(changed, without(field.name)) : changed
}

/** The names of the current version's fields, and what becomes of their values. */
const storedNames = (draft: Draft): StoredNames => readStoredNames(draft.migrations)

/** The field of the current version whose values a field of the draft shows. */
export function publishedField(draft: Draft, name: string, base: StoredProfileSchema) {
  const origin = originOf(name, storedNames(draft).moved)
  return base.components.find((component) => component.name === origin)
}

/** Renames a field wherever the draft names it, and the stored values with it. */
export function renameField(draft: Draft, key: string, name: string, base: StoredProfileSchema): Draft {
  const field = fieldOf(draft, key)
  if (field === undefined || field.name === name) return draft
  const { moved, rest } = storedNames(draft)
  const published = publishedField(draft, field.name, base)
  const next = new Map(moved)
  if (published !== undefined) next.set(published.name, name)
  if (published?.name === name) next.delete(name)
  const migrations = writeStoredNames({
    moved: next,
    rest: rest.map((step) => mapMigration(step, (one) => (one === field.name ? name : one))),
  })
  const renamed = mapReferences(draft, (one) => (one === field.name ? name : one))
  return { ...replaceField(renamed, { ...fieldOf(renamed, key)!, name }), migrations }
}

/**
 * Removes a field wherever the draft names it.
 * @param drop delete its stored values at once; otherwise they are archived and come back with a field of this name
 */
export function removeField(draft: Draft, key: string, drop: boolean, base: StoredProfileSchema): Draft {
  const field = fieldOf(draft, key)
  if (field === undefined) return draft
  const { moved, rest } = storedNames(draft)
  const published = publishedField(draft, field.name, base)
  const next = new Map(moved)
  const kept = rest.flatMap((step) => withoutTarget(step, field.name) ?? [])
  const isRead = kept.some((step) => readBy(step).includes(field.name))
  if (published !== undefined && !isRead) {
    next.delete(published.name)
    if (drop) next.set(published.name, null)
  }
  // A step that reads it comes before its values are deleted.
  const last: ProfileMigration[] = published !== undefined && isRead && drop ? [{ drop: field.name }] : []
  const mapped = mapReferences(draft, without(field.name))
  return {
    ...mapped,
    fields: mapped.fields.filter((one) => one.key !== key),
    migrations: [...writeStoredNames({ moved: next, rest: kept }), ...last],
  }
}

/** Gives a field another type; stored values are cast where that is possible. */
export function retypeField(draft: Draft, key: string, type: FieldTypeName, base: StoredProfileSchema): Draft {
  const field = fieldOf(draft, key)
  if (field === undefined || field.type === type) return draft
  const { moved, rest } = storedNames(draft)
  const published = publishedField(draft, field.name, base)
  const to = published === undefined ? null : castBetween(published.type, type)
  const others = rest.filter((step) => !('cast' in step && step.cast.field === field.name))
  const casts = to === null ? [] : [{ cast: { field: field.name, to } }]
  return {
    ...replaceField(draft, retyped(field, type)),
    migrations: writeStoredNames({ moved, rest: [...casts, ...others] }),
  }
}

/** Renames the value of an option, and the stored choices with it. */
export function renameOption(
  draft: Draft,
  key: string,
  index: number,
  value: string,
  base: StoredProfileSchema,
): Draft {
  const field = fieldOf(draft, key)
  const option = field?.options?.[index]
  if (field === undefined || option === undefined || option.value === value) return draft
  const options = field.options!.map((one, place) => (place === index ? { ...one, value } : one))
  const changed = mapComparedValue(replaceField(draft, { ...field, options }), field.name, option.value, value)
  const published = publishedField(draft, field.name, base)
  if (published === undefined || !('options' in published) || !takesOptions(published.type)) return changed
  const stored = published.options.map((one) => one.value)
  return { ...changed, migrations: mapChoice(draft.migrations, field.name, option.value, value, stored) }
}

type MapStep = Extract<ProfileMigration, { map: unknown }>

/** The steps with one more replaced value: in the field's `map`, if there is one. */
function mapChoice(
  migrations: readonly ProfileMigration[],
  field: string,
  from: string,
  to: string,
  stored: readonly string[],
): readonly ProfileMigration[] {
  const existing = migrations.find((step): step is MapStep => 'map' in step && step.map.field === field)
  const before = new Map(Object.entries(existing?.map.values ?? {}))
  // What was renamed before goes on to the new value. A stored value that went elsewhere is not that of a new option.
  const replaced = [...before].filter(([, next]) => next === from).map(([value]) => value)
  if (stored.includes(from) && !before.has(from)) replaced.push(from)
  if (replaced.length === 0) return migrations
  const next = [...new Map([...before, ...replaced.map((value) => [value, to] as const)])]
  const values = Object.fromEntries(next.filter(([value, other]) => value !== other))
  if (Object.keys(values).length === 0) return migrations.filter((step) => step !== existing)
  const step = { map: { field, values } }
  return existing === undefined ? [...migrations, step] : migrations.map((one) => (one === existing ? step : one))
}

/** What is wrong with the name of a field or a form; undefined for one that the server takes. */
export function nameProblem(name: string, of: 'field' | 'form', taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return `Another ${of} has this name.`
  if (/^[a-z][A-Za-z0-9_]{0,63}$/.test(name)) return undefined
  return 'Use 1 to 64 letters, digits and underscores, and begin with a lowercase letter.'
}

/** A name that no field has, such as `phone2`. */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const names = new Set(taken)
  const stem = wanted.replace(/\d+$/, '')
  let name = wanted
  for (let count = 2; names.has(name); count++) name = `${stem}${count}`
  return name
}
