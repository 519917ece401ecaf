import { changedPaths } from './changed-paths.ts'
import type {
  Draft,
  DraftField,
  DraftSection,
  FieldTypeName,
  ProfileForm,
  ProfileMigration,
  StoredProfileSchema,
} from './draft.ts'
import { draftAfter, isSameDocument } from './draft.ts'
import {
  changeField,
  fieldOf,
  freeName,
  removeField,
  renameField,
  renameOption,
  replaceField,
  retypeField,
} from './fields/edit-field.ts'
import { takesOptions } from './fields/field-kinds.ts'
import { addField, addSection, type FieldPlace, moveField, moveSection, removeSection } from './fields/move-field.ts'
import { stillUnusable, type UnusableNames } from './fields/unusable-names.ts'
import { withOrWithout } from './references.ts'

/** A draft with the version that it continues. */
type Moment = Pick<Editing, 'base' | 'draft'>

/** The draft with what it began as, and what can be undone. */
export interface Editing {
  /** The published version that the draft continues. */
  readonly base: StoredProfileSchema
  readonly draft: Draft
  readonly unusable: UnusableNames
  readonly past: readonly Moment[]
  readonly future: readonly Moment[]
  /** The key of the open field. */
  readonly open: string | null
  /** What the last edit changed: the next one of the same is undone together with it. */
  readonly last: string | null
}

/** One edit of the draft. */
export type Edit =
  | { do: 'addField'; type: FieldTypeName; name: string; label?: string; section: string | null }
  | { do: 'duplicateField'; key: string; section: string | null }
  | { do: 'changeField'; key: string; patch: Partial<DraftField> }
  | { do: 'renameField'; key: string; name: string }
  | { do: 'retypeField'; key: string; type: FieldTypeName }
  | { do: 'removeField'; key: string; drop: boolean }
  | { do: 'moveField'; key: string; from: string | null; to: FieldPlace }
  | { do: 'renameOption'; key: string; index: number; value: string }
  | { do: 'addSection'; title: string }
  | { do: 'changeSection'; key: string; patch: Partial<DraftSection> }
  | { do: 'removeSection'; key: string }
  | { do: 'moveSection'; key: string; index: number }
  | { do: 'setForms'; forms: Readonly<Record<string, ProfileForm>> }
  | { do: 'setMigrations'; migrations: readonly ProfileMigration[] }
  | { do: 'setVersion'; version: string | undefined }
  /** The text of the JSON view. */
  | { do: 'replace'; draft: Draft }
  /** The content of another version. */
  | { do: 'startFrom'; draft: Draft }

/** Everything that happens to the editor. */
export type EditorAction =
  | Edit
  | { do: 'open'; key: string | null }
  /** What was typed for a name and cannot be used; undefined: the name of the draft stands there again. */
  | { do: 'keepUnusable'; place: string; typed: string | undefined }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'discard' }
  /** Continues another published version, from its content unless a draft is given. Undo brings back the drafts only. */
  | { do: 'rebase'; base: StoredProfileSchema; draft?: Draft }
  /** Continues the version of another operator. Undo brings back what there was, with the version that it continued. */
  | { do: 'adopt'; base: StoredProfileSchema; draft?: Draft }

const mostUndone = 200

export const startEditing = (base: StoredProfileSchema): Editing => ({
  ...{ base, draft: draftAfter(base), unusable: {}, past: [], future: [], open: null, last: null },
})

/** Whether there is something to publish. */
export const isChanged = ({ base, draft }: Editing): boolean => !isSameDocument(draft, draftAfter(base))

export function reduceEditing(state: Editing, action: EditorAction): Editing {
  const next = reduce(state, action)
  return next.draft === state.draft ? next : { ...next, unusable: stillUnusable(next.unusable, next.draft) }
}

function reduce(state: Editing, action: EditorAction): Editing {
  switch (action.do) {
    case 'open':
      return { ...state, open: action.key, last: null }
    case 'keepUnusable':
      return { ...state, unusable: withOrWithout(state.unusable, action.place, action.typed) }
    case 'undo': {
      const moment = state.past.at(-1)
      if (moment === undefined) return state
      return {
        ...state,
        ...moment,
        past: state.past.slice(0, -1),
        future: [momentOf(state), ...state.future],
        last: null,
      }
    }
    case 'redo': {
      const [moment, ...future] = state.future
      if (moment === undefined) return state
      return { ...state, ...moment, past: [...state.past, momentOf(state)], future, last: null }
    }
    case 'discard':
      return { ...edited(state, draftAfter(state.base), null), unusable: {} }
    case 'rebase':
      if (action.draft === undefined && !isChanged(state)) return { ...startEditing(action.base), open: state.open }
      return continued(edited(state, action.draft ?? draftAfter(action.base), null), action.base)
    case 'adopt': {
      const past = [...state.past, momentOf(state)].slice(-mostUndone)
      const { base, draft = draftAfter(base) } = action
      return { ...state, base, draft, past, future: [], last: null }
    }
    default:
      return performed(state, action)
  }
}

function performed(state: Editing, edit: Edit): Editing {
  const draft = apply(state.draft, edit, state.base)
  return opened(edited(state, draft, partOf(edit, state, draft)), state.draft, edit)
}

const momentOf = ({ base, draft }: Editing): Moment => ({ base, draft })

const continued = (state: Editing, base: StoredProfileSchema): Editing => ({
  ...state,
  base,
  past: state.past.map(({ draft }) => ({ base, draft })),
})

function edited(state: Editing, draft: Draft, part: string | null): Editing {
  if (draft === state.draft) return state
  const isContinued = part !== null && part === state.last
  const past = isContinued ? state.past : [...state.past, momentOf(state)].slice(-mostUndone)
  return { ...state, draft, past, future: [], last: part }
}

/** A field that was added is opened. */
function opened(state: Editing, before: Draft, { do: act }: Edit): Editing {
  if (act !== 'addField' && act !== 'duplicateField') return state
  const known = new Set(before.fields.map(({ key }) => key))
  return { ...state, open: state.draft.fields.find(({ key }) => !known.has(key))?.key ?? state.open }
}

/** What is typed into one input is undone at once: edits of one value of the draft, and those of its text. */
function partOf({ do: act }: Edit, { draft, last }: Editing, after: Draft): string | null {
  if (act === 'replace') return act
  if (!typedEdits.includes(act)) return null
  const [path, ...more] = changedPaths(draft, after)
  // `1` and `1.` are the same number.
  if (path === undefined) return last
  return more.length > 0 ? null : path
}

const typedEdits: readonly Edit['do'][] = ['changeField', 'changeSection', 'setForms', 'setMigrations', 'setVersion']

function apply(draft: Draft, edit: Edit, base: StoredProfileSchema): Draft {
  switch (edit.do) {
    case 'addField':
      return addField(draft, newField(draft, edit), edit.section)
    case 'duplicateField':
      return duplicate(draft, edit.key, edit.section)
    case 'changeField':
      return changeField(draft, edit.key, edit.patch)
    case 'renameField':
      return renameField(draft, edit.key, edit.name, base)
    case 'retypeField':
      return retypeField(draft, edit.key, edit.type, base)
    case 'removeField':
      return removeField(draft, edit.key, edit.drop, base)
    case 'moveField':
      return moveField(draft, edit.key, edit.from, edit.to)
    case 'renameOption':
      return renameOption(draft, edit.key, edit.index, edit.value, base)
    case 'addSection':
      return addSection(draft, edit.title)
    case 'changeSection':
      return changeSection(draft, edit.key, edit.patch)
    case 'removeSection':
      return removeSection(draft, edit.key)
    case 'moveSection':
      return moveSection(draft, edit.key, edit.index)
    case 'setForms':
      return { ...draft, forms: edit.forms }
    case 'setMigrations':
      return { ...draft, migrations: edit.migrations }
    case 'setVersion':
      return withOrWithout(draft, 'version', edit.version)
    case 'replace':
    case 'startFrom':
      return isSameDocument(draft, edit.draft) ? draft : edit.draft
  }
}

const changeSection = (draft: Draft, key: string, patch: Partial<DraftSection>): Draft => ({
  ...draft,
  sections: draft.sections.map((section) =>
    section.key === key
      ? Object.entries(patch).reduce(
          (changed, [member, value]) => withOrWithout(changed, member as keyof DraftSection, value),
          section,
        )
      : section,
  ),
})

/** A key that no field has or had: undo brings fields back. */
function newKey(draft: Draft, name: string): string {
  return freeName(
    `${name}+`,
    draft.fields.map(({ key }) => key),
  )
}

function newField(draft: Draft, { type, name, label }: Extract<Edit, { do: 'addField' }>): DraftField {
  const free = freeName(
    name,
    draft.fields.map((field) => field.name),
  )
  return {
    ...{ key: newKey(draft, free), name: free, type },
    ...(label && { label }),
    ...(takesOptions(type) && { options: [{ value: 'one', label: 'One' }] }),
  }
}

function duplicate(draft: Draft, key: string, section: string | null): Draft {
  const field = fieldOf(draft, key)
  if (field === undefined) return draft
  const name = freeName(
    field.name,
    draft.fields.map((one) => one.name),
  )
  const copy = { ...field, name, key: newKey(draft, name) }
  return replaceField(addField(draft, copy, section), copy)
}
