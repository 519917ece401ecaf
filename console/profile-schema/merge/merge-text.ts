import type { LocalizedText } from '../draft.ts'
import type { Decisions, Place, Three } from './conflicts.ts'
import { isSame } from './same.ts'

/** A text of three, language by language, unless one of them has no text. */
export function mergeText(
  decisions: Decisions,
  place: Place,
  part: string,
  three: Three<LocalizedText>,
): LocalizedText | undefined {
  const [base, mine, theirs] = three
  if (mine === undefined || theirs === undefined || isSame(mine, theirs)) return decisions.pick(place, part, three)
  const [before, own, other] = [base, mine, theirs].map(wordingsOf)
  const wordings: Record<string, string> = {}
  for (const tag of new Set([...Object.keys(own!), ...Object.keys(other!)])) {
    const name = tag === 'default' ? part : `${part}.${tag}`
    const wording = decisions.pick(place, name, [before![tag], own![tag], other![tag]])
    if (wording !== undefined) wordings[tag] = wording
  }
  const tags = Object.keys(wordings)
  return tags.length === 1 && tags[0] === 'default' ? wordings['default']! : (wordings as LocalizedText)
}

const wordingsOf = (text: LocalizedText | undefined): Readonly<Record<string, string>> =>
  typeof text === 'string' ? { default: text } : (text ?? {})
