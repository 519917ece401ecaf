import type { Draft, DraftField, ProfileForm, ProfileMigration, StoredProfileSchema } from '../draft.ts'
import { draftAfter, isNote, withDistinctKeys } from '../draft.ts'
import { freeName } from '../edit-field.ts'
import { wordingIn } from '../languages.ts'
import { mapComparisons, mapShown, withOrWithout } from '../references.ts'
import { type Choices, type Conflict, Decisions } from './conflicts.ts'
import { mergeFields, type Sides } from './merge-fields.ts'
import { mergeForms, type NamedForm } from './merge-forms.ts'
import { mergeMigrations } from './merge-migrations.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeSections } from './merge-sections.ts'
import { breakCycles, repairConditions } from './repairs.ts'
import { mapValues, sideOf } from './sides.ts'
import { keepTotals } from './totals.ts'

/** Two drafts in one. */
export interface Merge {
  /** Continues their version. A conflict without a choice has what the draft of mine has. */
  readonly draft: Draft
  /** The same ones in the same order, whatever is chosen; one about a total appears when the choices exceed it. */
  readonly conflicts: readonly Conflict[]
  /** What the draft has lost because it does not fit to their changes, a sentence each. */
  readonly notices: readonly string[]
}

interface MergeInput {
  /** The version that `mine` continues. */
  readonly base: StoredProfileSchema
  readonly mine: Draft
  /** The version that is published now. */
  readonly theirs: StoredProfileSchema
  /** The migrations of all versions after `base` up to `theirs`; those of `theirs` unless given. */
  readonly steps?: readonly ProfileMigration[]
  readonly choices?: Choices
}

/**
 * Merges a draft with a version that was published since it was begun. What only one of them changed is taken. Sizes of the
 * whole schema, such as 200 fields, are not kept: nothing is left out for them, and the check names what is too much.
 */
export function mergeDrafts({ base, mine, theirs, steps = theirs.migrations, choices = {} }: MergeInput): Merge {
  const [before, other] = [draftAfter(base), draftAfter(theirs)]
  const sides: Sides = {
    base: sideOf(before, before, []),
    mine: sideOf(mine, before, mine.migrations),
    theirs: sideOf(other, before, steps),
  }
  const three = [sides.base, sides.mine, sides.theirs] as const
  const decisions = new Decisions(choices, (id) => {
    const field = sides.mine.fields.get(id) ?? sides.theirs.fields.get(id)
    return wordingIn(field?.label) || field?.name || id.slice(1)
  })
  const { fields: merged, optionValues } = mergeFields(decisions, sides)
  keepTotals(decisions, sides, merged)
  const lists = three.map((side) => [...side.fields.keys()]) as [string[], string[], string[]]
  const names = withFreeNames(
    merged,
    ({ name }) => name,
    new Map([...sides.theirs.fields].map(([id, { name }]) => [id, name])),
  )
  const fields = new Map(
    mergeOrder(...lists, merged.keys()).map((id) => [id, { ...merged.get(id)!, name: names.get(id)! }]),
  )
  const sections = mergeSections(decisions, sides, fields)
  const sectionNames = withFreeNames(
    sections,
    ({ section }) => section,
    new Map([...sides.theirs.sections].map(([id, { section }]) => [id, section])),
  )
  const forms = mergeForms(decisions, sides)
  const formNames = withFreeNames(
    forms,
    ({ name }) => name,
    new Map([...sides.theirs.forms].map(([id, { name }]) => [id, name])),
  )
  const repair = repairConditions(decisions, fields, sides)
  for (const [id, field] of fields) fields.set(id, repairField(field, repair))
  breakCycles(decisions, fields, sides.theirs)
  const version = mine.version === theirs.version ? undefined : mine.version
  const neutral: Draft = {
    ...(version !== undefined && { version }),
    fields: withDistinctKeys([...fields.values()]),
    sections: withDistinctKeys(
      [...sections].map(([id, section]) => ({
        ...section,
        section: sectionNames.get(id)!,
        fields: section.fields.filter((field) => isShown(field)),
      })),
    ),
    forms: Object.fromEntries(
      [...forms].map(([id, form]) => [formNames.get(id)!, repairForm({ ...form, name: formNames.get(id)! })]),
    ),
    migrations: [],
  }
  const migrations = mergeMigrations(decisions, mine, sides, { fields, optionValues })
  const draft = { ...named(neutral), migrations }
  return { draft, conflicts: decisions.conflicts, notices: decisions.notices }

  function isShown(id: string): boolean {
    const field = fields.get(id)
    return field !== undefined && !isNote(field)
  }

  function repairForm({ name, ...form }: NamedForm): ProfileForm {
    const shown = <T extends Pick<ProfileForm, 'fields' | 'required'>>(part: T): T => {
      const listed = part.fields?.filter(isShown)
      const required = part.required?.filter((id) => listed?.includes(id) && fields.get(id)!.writable !== false)
      return { ...part, ...(listed && { fields: listed }), ...(required && { required }) }
    }
    if (form.steps === undefined) return shown(form)
    const parts = form.steps.map((step) => {
      const condition = repair(step.visibleWhen, {}, step.step)
      return withOrWithout(shown(step), 'visibleWhen', condition)
    })
    // A sign-up is one request.
    if (name === 'signUp') {
      const { steps: _steps, ...others } = form
      return { ...others, fields: parts.flatMap((step) => step.fields ?? []) }
    }
    const stepNames = withFreeNames(
      new Map(parts.map((step, index) => [String(index), step])),
      ({ step }) => step,
      new Map(),
    )
    return { ...form, steps: parts.map((step, index) => ({ ...step, step: stepNames.get(String(index))! })) }
  }

  /** With names in place of ids. */
  function named(draft: Draft): Draft {
    const newName = (id: string) => fields.get(id)?.name ?? id
    const values = new Map([...fields].map(([id, { name }]) => [name, optionValues.get(id)]))
    const shown = mapComparisons(mapShown(draft, newName), (comparison) =>
      mapValues(
        { ...comparison, field: newName(comparison.field) },
        (value) => optionValues.get(comparison.field)?.get(value) ?? value,
      ),
    )
    return {
      ...shown,
      fields: shown.fields.map((field) => {
        if (field.options === undefined) return field
        const options = field.options.map((option) => ({
          ...option,
          value: values.get(field.name)?.get(option.value) ?? option.value,
        }))
        return { ...field, options }
      }),
    }
  }
}

function repairField(field: DraftField, repair: ReturnType<typeof repairConditions>): DraftField {
  const name = field.name
  let repaired = field
  for (const key of ['visibleWhen', 'requiredWhen', 'lockedWhen'] as const) {
    if (field[key] !== undefined) repaired = withOrWithout(repaired, key, repair(field[key], field, name))
  }
  if (!field.options?.some(({ when }) => when !== undefined)) return repaired
  const options = field.options.map((option) => withOrWithout(option, 'when', repair(option.when, field, name)))
  return { ...repaired, options }
}

/** The names by id, each once. What their version names already keeps its name. */
function withFreeNames<T>(
  items: ReadonlyMap<string, T>,
  nameOf: (item: T) => string,
  published: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const isPublished = ([id, item]: [string, T]) => published.get(id) === nameOf(item)
  const entries = [...items]
  for (const [id, item] of [...entries.filter(isPublished), ...entries.filter((entry) => !isPublished(entry))]) {
    names.set(id, freeName(nameOf(item), names.values()))
  }
  return names
}
