import { moved } from '../../parts/ordering/moved.ts'
import type { Draft, DraftField, DraftSection } from '../draft.ts'
import { groupsOf, isNote } from '../draft.ts'
import { freeName } from './edit-field.ts'

/** A place in the list: a group, by its section's key or null, and an index in it. */
export interface FieldPlace {
  readonly section: string | null
  readonly index: number
}

/** The components in the order that the list shows, so that every form has one order. */
function inShownOrder(draft: Draft): Draft {
  const ordered = new Set(groupsOf(draft).flatMap(({ fields }) => fields))
  return { ...draft, fields: [...ordered] }
}

/** Moves a field within its group or to another one. Sections cannot show the operator's notes, which stay where they are. */
export function moveField(draft: Draft, key: string, from: string | null, to: FieldPlace): Draft {
  const field = draft.fields.find((one) => one.key === key)
  if (field === undefined || (to.section !== null && isNote(field))) return draft
  if (to.section === null) return moveToNoSection(draft, field, to.index)
  const sections = draft.sections.map((section) => {
    const others = section.fields.filter((name) => name !== field.name)
    if (section.key !== to.section) return section.key === from ? { ...section, fields: others } : section
    const index = Math.max(0, Math.min(to.index, others.length))
    return { ...section, fields: others.toSpliced(index, 0, field.name) }
  })
  return inShownOrder({ ...draft, sections })
}

/** Fields in no section are ordered by the components. */
function moveToNoSection(draft: Draft, field: DraftField, index: number): Draft {
  const sections = draft.sections.map((section) => ({
    ...section,
    fields: section.fields.filter((name) => name !== field.name),
  }))
  const placed = groupsOf({ ...draft, sections })
  const rest = placed.at(-1)!.fields
  const reordered = moved(rest, rest.indexOf(field), index)
  const others = draft.fields.filter((one) => !rest.includes(one))
  return inShownOrder({ ...draft, sections, fields: [...others, ...reordered] })
}

/** Adds a field at the end of a group. */
export function addField(draft: Draft, field: DraftField, section: string | null): Draft {
  const sections = draft.sections.map((one) =>
    one.key === section ? { ...one, fields: [...one.fields, field.name] } : one,
  )
  return inShownOrder({ ...draft, sections, fields: [...draft.fields, field] })
}

/** Adds a section at the end. The first one gets every field, because a page with sections shows no others. */
export function addSection(draft: Draft, title: string): Draft {
  const section = freeName(
    nameOf(title),
    draft.sections.map((one) => one.section),
  )
  const fields =
    draft.sections.length === 0 ? draft.fields.filter((field) => !isNote(field)).map(({ name }) => name) : []
  const added: DraftSection = { key: keyOf(draft, section), section, title, fields }
  return { ...draft, sections: [...draft.sections, added] }
}

/** Removes a section; its fields go to the section before it, or the next one. */
export function removeSection(draft: Draft, key: string): Draft {
  const index = draft.sections.findIndex((section) => section.key === key)
  if (index < 0) return draft
  const { fields } = draft.sections[index]!
  const others = draft.sections.toSpliced(index, 1)
  const heir = others[Math.max(0, index - 1)]
  const sections = others.map((section) =>
    section === heir ? { ...section, fields: [...new Set([...section.fields, ...fields])] } : section,
  )
  return inShownOrder({ ...draft, sections })
}

/** Moves a section with its fields. */
export function moveSection(draft: Draft, key: string, index: number): Draft {
  const from = draft.sections.findIndex((section) => section.key === key)
  return from < 0 ? draft : inShownOrder({ ...draft, sections: moved(draft.sections, from, index) })
}

function keyOf(draft: Draft, wanted: string): string {
  return freeName(
    wanted,
    draft.sections.map(({ key }) => key),
  )
}

/** A name made of a title: `Date of birth` → `dateOfBirth`. */
export function nameOf(title: string, otherwise = 'section'): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  const [first = '', ...more] = words
  const camel = first.toLowerCase() + more.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()).join('')
  const name = camel.replace(/^[^a-z]+/, '').slice(0, 60)
  return name === '' ? otherwise : name
}
