import type { Draft, DraftField, ProfileMigration, StoredProfileSchema } from '../draft.ts'
import { draftAfter, withDistinctKeys } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { type Choices, type Conflict, Decisions } from './conflicts.ts'
import { mergeFields, type Sides } from './merge-fields.ts'
import { mergeForms } from './merge-forms.ts'
import { mergeMigrations } from './merge-migrations.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeSections } from './merge-sections.ts'
import { withFreeNames, withNames } from './names.ts'
import { isShown, repairForm } from './repair-form.ts'
import { breakCycles, repairConditions, repairField } from './repairs.ts'
import { sideOf } from './sides.ts'
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
  const decisions = new Decisions(choices, (id) => titleOf(id, sides))
  const { fields: merged, optionValues } = mergeFields(decisions, sides)
  keepTotals(decisions, sides, merged)
  const fields = inOrder(withFreeNames(merged, 'name', sides.theirs.fields), sides)
  const sections = withFreeNames(mergeSections(decisions, sides, fields), 'section', sides.theirs.sections)
  const forms = withFreeNames(mergeForms(decisions, sides, fields), 'name', sides.theirs.forms)
  const repair = repairConditions(decisions, fields, sides)
  for (const [id, field] of fields) fields.set(id, repairField(field, repair))
  breakCycles(decisions, fields, sides.theirs)
  const version = mine.version === theirs.version ? undefined : mine.version
  const withIds: Draft = {
    ...(version !== undefined && { version }),
    fields: withDistinctKeys([...fields.values()]),
    sections: withDistinctKeys(
      [...sections.values()].map((section) => ({
        ...section,
        fields: section.fields.filter((id) => isShown(fields.get(id))),
      })),
    ),
    forms: Object.fromEntries([...forms.values()].map((form) => [form.name, repairForm(form, fields, repair)])),
    migrations: [],
  }
  const migrations = mergeMigrations(decisions, mine, sides, { fields, optionValues })
  const draft = { ...withNames(withIds, { fields, optionValues }), migrations }
  return { draft, conflicts: decisions.conflicts, notices: decisions.notices }
}

/** What people call a field. */
function titleOf(id: string, { mine, theirs }: Sides): string {
  const field = mine.fields.get(id) ?? theirs.fields.get(id)
  return wordingIn(field?.label) || field?.name || id.slice(1)
}

function inOrder(fields: ReadonlyMap<string, DraftField>, { base, mine, theirs }: Sides): Map<string, DraftField> {
  const order = mergeOrder([...base.fields.keys()], [...mine.fields.keys()], [...theirs.fields.keys()], fields.keys())
  return new Map(order.map((id) => [id, fields.get(id)!]))
}
