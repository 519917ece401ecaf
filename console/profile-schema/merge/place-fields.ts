import type { DraftField, DraftSection } from '../draft.ts'
import { isNote } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { type Decisions, ofEach, type Place } from './conflicts.ts'
import type { Sides } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'

/** The sections of the merged document, before the fields are placed. */
interface MergedSections {
  /** In their order, by id. */
  readonly sections: ReadonlyMap<string, DraftSection>
  /** By field the section that was kept against a removal, with its fields. */
  readonly settled: ReadonlyMap<string, string>
}

/** The sections with each field where one of both put it. */
export function placeFields(
  decisions: Decisions,
  sides: Sides,
  { sections, settled }: MergedSections,
  fields: ReadonlyMap<string, DraftField>,
): Map<string, DraftSection> {
  const documents = [sides.base, sides.mine, sides.theirs] as const
  const members = new Map<string, string[]>([...sections.keys()].map((id) => [id, []]))
  const last = [...sections.keys()].at(-1)
  for (const [field, { readable, writable }] of fields) {
    const decided = decidePlaces(decisions, sides, field)
    const chosen = settled.has(field) ? [settled.get(field)!] : decided
    const found = chosen.filter((id) => members.has(id))
    // What is on the page stays on it: its section is gone, or its side had no sections and showed every field.
    const isShown = chosen.length > 0 || (sides.base.fields.has(field) ? false : lacksSections(sides, field))
    if (found.length === 0 && isShown && last !== undefined && !isNote({ readable, writable } as DraftField))
      found.push(last)
    for (const id of found) members.get(id)!.push(field)
  }
  return new Map(
    [...sections].map(([id, section]) => {
      const [base, mine, theirs] = documents.map((side) => side.sections.get(id)?.fields ?? [])
      return [id, { ...section, fields: mergeOrder(base!, mine!, theirs!, members.get(id)!) }]
    }),
  )
}

/** The ids of the sections that the field is in. */
function decidePlaces(decisions: Decisions, sides: Sides, field: string): readonly string[] {
  const documents = [sides.base, sides.mine, sides.theirs] as const
  const places = ofEach(documents, (side) =>
    side.fields.has(field)
      ? [...side.sections].filter(([, section]) => section.fields.includes(field)).map(([id]) => id)
      : undefined,
  )
  const [, own, other] = places
  if (own === undefined || other === undefined) return own ?? other ?? []
  const { label, name } = sides.mine.fields.get(field)!
  const place: Place = { what: 'field', id: field, name: wordingIn(label) || name }
  const titles = (ids: readonly string[]) => ids.map((id) => titleOf(id, documents)).join(', ')
  return decisions.pick(place, 'place', places, (ids) => titles(ids) || undefined) ?? []
}

function titleOf(id: string, documents: readonly Pick<Sides['base'], 'sections'>[]): string | undefined {
  const section = documents.map(({ sections }) => sections.get(id)).find((one) => one !== undefined)
  return wordingIn(section?.title) || section?.section
}

const lacksSections = ({ mine, theirs }: Sides, field: string): boolean =>
  [mine, theirs].some((side) => side.fields.has(field) && side.sections.size === 0)
