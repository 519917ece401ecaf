import type { Draft, DraftField } from '../draft.ts'
import { freeName } from '../fields/edit-field.ts'
import { mapComparisons, mapShown, mapValues } from '../references.ts'

/** The fields of the merged document under their final names. */
export interface NamedFields {
  /** By id. */
  readonly fields: ReadonlyMap<string, DraftField>
  /** The final values of options, by field and by id. */
  readonly optionValues: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The items, no two with the same name. What already has the name in `published` keeps it. */
export function withFreeNames<K extends string, T extends Readonly<Record<K, string>>>(
  items: ReadonlyMap<string, T>,
  member: K,
  published: ReadonlyMap<string, Readonly<Record<K, string>>>,
): Map<string, T> {
  const names = new Map<string, string>()
  const isPublished = ([id, item]: [string, T]) => published.get(id)?.[member] === item[member]
  const entries = [...items]
  for (const [id, item] of [...entries.filter(isPublished), ...entries.filter((entry) => !isPublished(entry))]) {
    names.set(id, freeName(item[member], names.values()))
  }
  return new Map(entries.map(([id, item]) => [id, { ...item, [member]: names.get(id)! }]))
}

/** The draft with names of fields and values of options in place of their ids. */
export function withNames(draft: Draft, { fields, optionValues }: NamedFields): Draft {
  const newName = (id: string) => fields.get(id)?.name ?? id
  const values = new Map([...fields].map(([id, { name }]) => [name, optionValues.get(id)]))
  const shown = mapComparisons(mapShown(draft, newName), (comparison) =>
    mapValues(
      { ...comparison, field: newName(comparison.field) },
      (value) => optionValues.get(comparison.field)?.get(value) ?? value,
    ),
  )
  return { ...shown, fields: shown.fields.map((field) => withOptionValues(field, values.get(field.name))) }
}

function withOptionValues(field: DraftField, values: ReadonlyMap<string, string> | undefined): DraftField {
  if (field.options === undefined) return field
  const options = field.options.map((option) => ({ ...option, value: values?.get(option.value) ?? option.value }))
  return { ...field, options }
}
