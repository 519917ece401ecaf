import type { DraftField, DraftSection } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import { type Decisions, decidePresence, memberOf, ofEach, type Place, type Three } from './conflicts.ts'
import { idsOf, type Sides } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeText } from './merge-text.ts'
import { placeFields } from './place-fields.ts'
import { isSame } from './same.ts'

/** The sections of the merged document in their order, with ids as fields. */
export function mergeSections(
  decisions: Decisions,
  sides: Sides,
  fields: ReadonlyMap<string, DraftField>,
): Map<string, DraftSection> {
  const { base, mine, theirs } = sides
  const merged = new Map<string, DraftSection>()
  const settled = new Map<string, string>()
  for (const id of idsOf(base.sections, mine.sections, theirs.sections)) {
    const three = ofEach([base, mine, theirs], ({ sections }) => sections.get(id))
    const [before, own, other] = three
    const shown = own ?? other ?? before!
    const place: Place = { what: 'section', id, name: wordingIn(shown.title) || shown.section }
    const presence = decidePresence(decisions, place, three, (side) =>
      isChanged(before!, side === 'mine' ? own! : other!),
    )
    if (presence === 'both') merged.set(id, mergeSection(decisions, place, three))
    else if (presence !== 'none') {
      const kept = presence === 'mine' ? own! : other!
      merged.set(id, kept)
      if (before !== undefined) for (const field of kept.fields) settled.set(field, id)
    }
  }
  const order = mergeOrder(
    [...base.sections.keys()],
    [...mine.sections.keys()],
    [...theirs.sections.keys()],
    merged.keys(),
  )
  const sections = new Map(order.map((id) => [id, merged.get(id)!]))
  return placeFields(decisions, sides, { sections, settled }, fields)
}

/** The section with its words; its fields are placed later. */
function mergeSection(decisions: Decisions, place: Place, three: Three<DraftSection>): DraftSection {
  const text = (key: 'title' | 'description') => mergeText(decisions, place, key, memberOf(three, key))
  const name = memberOf(three, 'section')
  const section = { ...three[1]!, section: decisions.pick(place, 'section', name)! }
  return withOrWithout(withOrWithout(section, 'title', text('title')), 'description', text('description'))
}

/** A section that got other words or more fields; where its fields went is up to each of them. */
function isChanged(before: DraftSection, after: DraftSection): boolean {
  const words = ({ section, title, description }: DraftSection) => ({ section, title, description })
  return !isSame(words(before), words(after)) || after.fields.some((field) => !before.fields.includes(field))
}
