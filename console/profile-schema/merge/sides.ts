import type { ComponentOption, Draft, DraftField, DraftSection, ProfileForm, ProfileMigration } from '../draft.ts'
import { originOf, readStoredNames } from '../migrations/stored-names.ts'
import { mapComparisons, mapShown, mapValues } from '../references.ts'
import { hasSameItems } from './same.ts'

/**
 * One of the three documents, comparable with the others: what it names is named by an id, which is the same for what was
 * renamed. An id begins with `=` for what the base has, with `+` for what it has not.
 */
export interface Side {
  /** With ids in conditions and as values of options; the field's own name is that of the document. */
  readonly fields: ReadonlyMap<string, DraftField>
  readonly sections: ReadonlyMap<string, DraftSection>
  readonly forms: ReadonlyMap<string, ProfileForm & { readonly name: string }>
  /** The id of the field with a name. */
  readonly idOf: (name: string) => string
  /** The values of options in the document, by field and by id. An id is the value in the base. */
  readonly optionValues: ReadonlyMap<string, ReadonlyMap<string, string>>
}

const isMove = (step: ProfileMigration) => 'rename' in step || 'drop' in step

/** @param steps the migrations from the base to the draft */
export function sideOf(draft: Draft, base: Draft, steps: readonly ProfileMigration[]): Side {
  const baseFields = new Map(base.fields.map((field) => [field.name, field]))
  const { moved } = readStoredNames(steps.filter(isMove))
  const ids = assignIds(draft.fields, ({ name }) => {
    const origin = originOf(name, moved)
    return origin !== null && baseFields.has(origin) ? origin : undefined
  })
  const idByName = new Map([...ids].map(([id, { name }]) => [name, id]))
  const idOf = (name: string) => idByName.get(name) ?? name
  const optionIds = new Map(
    [...ids].map(([id, field]) => [id, optionIdsOf(field, baseFields.get(id.slice(1)), steps)] as const),
  )
  const optionId = (field: string, value: string) => optionIds.get(field)?.get(value) ?? value
  const shown = mapShown(draft, idOf)
  const { fields, sections, forms } = mapComparisons(shown, (comparison) => {
    const field = idOf(comparison.field)
    return mapValues({ ...comparison, field }, (value) => optionId(field, value))
  })
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return {
    fields: new Map(
      [...ids].map(([id, { key }]) => [id, withOptionIds(byKey.get(key)!, (value) => optionId(id, value))]),
    ),
    sections: assignIds(sections, sectionOrigin(sections, base)),
    forms: formsOf(forms, base),
    idOf,
    optionValues: new Map(
      [...ids].map(([id, { options = [] }]) => [id, new Map(options.map(({ value }) => [optionId(id, value), value]))]),
    ),
  }
}

const withOptionIds = (field: DraftField, idOf: (value: string) => string): DraftField =>
  field.options === undefined
    ? field
    : { ...field, options: field.options.map((option) => ({ ...option, value: idOf(option.value) })) }

/** Items by id. Names that a text repeats get ids, too. */
function assignIds<T extends { readonly name?: string; readonly section?: string; readonly step?: string }>(
  items: readonly T[],
  originOfItem: (item: T) => string | undefined,
): Map<string, T> {
  const found = new Map<string, T>()
  for (const item of items) {
    const origin = originOfItem(item)
    let id = origin === undefined ? `+${item.name ?? item.section ?? item.step}` : `=${origin}`
    while (found.has(id)) id = `+${id}`
    found.set(id, item)
  }
  return found
}

/** A value that a `map` step writes in place of one of the base, which is gone: the option was renamed. */
function optionIdsOf(
  { name, options = [] }: DraftField,
  base: DraftField | undefined,
  steps: readonly ProfileMigration[],
): ReadonlyMap<string, string> {
  const values = new Set(options.map(({ value }) => value))
  const before = new Set(base?.options?.map(({ value }) => value))
  const renamed = new Map<string, string>()
  for (const step of steps) {
    if (!('map' in step) || step.map.field !== name) continue
    for (const [from, to] of Object.entries(step.map.values)) {
      const isRenamed = typeof to === 'string' && values.has(to) && !before.has(to)
      if (isRenamed && before.has(from) && !values.has(from)) renamed.set(to, from)
    }
  }
  return renamed
}

/** The options of a field by id. */
export const optionsOf = (side: Side, id: string): Map<string, ComponentOption> =>
  new Map(side.fields.get(id)?.options?.map((option) => [option.value, option]))

/** A section is the base's one of the same name, or one that is gone and had the same fields. */
function sectionOrigin(sections: readonly DraftSection[], base: Draft) {
  const names = new Set(sections.map(({ section }) => section))
  const gone = new Map(base.sections.filter(({ section }) => !names.has(section)).map((one) => [one.section, one]))
  const known = new Set(base.sections.map(({ section }) => section))
  return ({ key, section, fields }: DraftSection): string | undefined => {
    if (known.has(section)) return section
    const origin = gone.has(key)
      ? key
      : [...gone.values()].find(
          (one) =>
            one.fields.length > 0 &&
            hasSameItems(
              one.fields.map((name) => `=${name}`),
              fields,
            ),
        )?.section
    if (origin !== undefined) gone.delete(origin)
    return origin
  }
}

/** The fields of a form in their order, of all its steps. */
const shownBy = ({ fields = [], steps = [] }: ProfileForm): string[] => [
  ...fields,
  ...steps.flatMap((step) => step.fields ?? []),
]

/** A form is the base's one of the same name, or one that is gone and had the same fields. */
function formsOf(forms: Draft['forms'], base: Draft): Side['forms'] {
  const gone = new Map(Object.entries(base.forms).filter(([name]) => !Object.hasOwn(forms, name)))
  const named = Object.entries(forms).map(([name, form]) => ({ ...form, name }))
  return assignIds(named, ({ name, ...form }) => {
    if (Object.hasOwn(base.forms, name)) return name
    const shown = shownBy(form)
    const [origin] =
      [...gone].find(
        ([, one]) =>
          shown.length > 0 &&
          hasSameItems(
            shownBy(one).map((field) => `=${field}`),
            shown,
          ),
      ) ?? []
    if (origin !== undefined) gone.delete(origin)
    return origin
  })
}
