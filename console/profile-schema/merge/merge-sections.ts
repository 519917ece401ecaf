import type { DraftField, DraftSection } from '../draft.ts'
import { isNote } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import { type Decisions, decidePresence, ofEach, type Place, type Three } from './conflicts.ts'
import { idsOf, type Sides } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeText } from './merge-text.ts'
import { isSame } from './same.ts'

/** The sections of the merged document in their order, with ids as fields. */
export function mergeSections(
  decisions: Decisions,
  { base, mine, theirs }: Sides,
  fields: ReadonlyMap<string, DraftField>,
): Map<string, DraftSection> {
  const sides = [base, mine, theirs] as const
  const merged = new Map<string, DraftSection>()
  /** Fields whose section was kept against a removal. */
  const settled = new Map<string, string>()
  for (const id of idsOf(base.sections, mine.sections, theirs.sections)) {
    const three = ofEach(sides, ({ sections }) => sections.get(id))
    const [before, own, other] = three
    const shown = own ?? other ?? before!
    const place: Place = { what: 'section', id, name: wordingIn(shown.title) || shown.section }
    const presence = decidePresence(decisions, place, three, (side) =>
      isChanged(before!, side === 'mine' ? own! : other!),
    )
    if (presence === 'none') continue
    if (presence !== 'both') {
      merged.set(id, (presence === 'mine' ? own : other)!)
      if (before !== undefined) for (const field of merged.get(id)!.fields) settled.set(field, id)
      continue
    }
    const text = (key: 'title' | 'description') =>
      mergeText(
        decisions,
        place,
        key,
        ofEach(three, (one) => one[key]),
      )
    const section = decisions.pick(
      place,
      'section',
      ofEach(three, (one) => one.section),
    )!
    merged.set(
      id,
      withOrWithout(withOrWithout({ ...own!, section }, 'title', text('title')), 'description', text('description')),
    )
  }
  const order = mergeOrder(
    ...(sides.map(({ sections }) => [...sections.keys()]) as [string[], string[], string[]]),
    merged.keys(),
  )
  return placeFields()

  /** Each field goes into the section where one of them put it. */
  function placeFields(): Map<string, DraftSection> {
    const members = new Map<string, string[]>(order.map((id) => [id, []]))
    for (const [field, { readable, writable }] of fields) {
      const { label, name } = (mine.fields.get(field) ?? theirs.fields.get(field))!
      const places = ofEach(sides, (side) =>
        side.fields.has(field)
          ? [...side.sections].filter(([, section]) => section.fields.includes(field)).map(([id]) => id)
          : undefined,
      )
      const place: Place = { what: 'field', id: field, name: wordingIn(label) || name }
      const decided = placeOf(places, place)
      const chosen = settled.has(field) ? [settled.get(field)!] : decided
      const found = chosen.filter((id) => members.has(id))
      // What is on the page stays on it: its section is gone, or its side had no sections and showed every field.
      const isShown = chosen.length > 0 || (base.fields.has(field) ? false : lacksSections(field))
      const last = order.at(-1)
      if (found.length === 0 && isShown && last !== undefined && !isNote({ readable, writable } as DraftField))
        found.push(last)
      for (const id of found) members.get(id)!.push(field)
    }
    return new Map(
      order.map((id) => {
        const lists = sides.map(({ sections }) => sections.get(id)?.fields ?? []) as [string[], string[], string[]]
        return [id, { ...merged.get(id)!, fields: mergeOrder(...lists, members.get(id)!) }]
      }),
    )
  }

  function placeOf([before, own, other]: Three<string[]>, place: Place): readonly string[] {
    if (own === undefined || other === undefined) return own ?? other ?? []
    return decisions.pick(place, 'place', [before, own, other], (ids) => ids.map(titleOf).join(', ') || undefined) ?? []
  }

  function titleOf(id: string): string | undefined {
    const section = sides.map(({ sections }) => sections.get(id)).find((one) => one !== undefined)
    return wordingIn(section?.title) || section?.section
  }

  function lacksSections(field: string): boolean {
    return [mine, theirs].some((side) => side.fields.has(field) && side.sections.size === 0)
  }
}

/** A section that got other words or more fields; where its fields went is up to each of them. */
function isChanged(before: DraftSection, after: DraftSection): boolean {
  const words = ({ section, title, description }: DraftSection) => ({ section, title, description })
  return !isSame(words(before), words(after)) || after.fields.some((field) => !before.fields.includes(field))
}
