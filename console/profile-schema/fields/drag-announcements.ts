import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import { wordingIn } from '../languages.ts'
import { type Line, placeAt, sectionIndexAt } from './list-places.ts'

/** What a line is called. */
const titleOf = (line: Line | undefined): string => {
  if (line === undefined) return ''
  if (line.kind === 'field') return wordingIn(line.field.label) || line.field.name
  return line.section === null ? 'Not on the profile page' : wordingIn(line.section.title) || line.section.section
}

/** What a screen reader says while a line is moved. */
export function announceMoves(now: () => readonly Line[]): Announcements {
  const find = (id: UniqueIdentifier) => now().findIndex((line) => line.id === id)
  const title = (id: UniqueIdentifier) => titleOf(now()[find(id)])
  function place(active: UniqueIdentifier, over: UniqueIdentifier): string {
    const [from, to] = [find(active), find(over)]
    const line = now()[from]
    if (line?.kind !== 'field') return `position ${sectionIndexAt(now(), from, to) + 1}`
    const { section, index } = placeAt(now(), from, to)
    const head = now().find((one) => one.kind === 'section' && (one.section?.key ?? null) === section)
    return head === undefined ? `position ${index + 1}` : `position ${index + 1} of “${titleOf(head)}”`
  }
  // Every drag begins over its own place, which is not announced.
  let isNew = false
  return {
    onDragStart({ active }) {
      isNew = true
      return `Picked up ${title(active.id)}.`
    },
    onDragOver({ active, over }) {
      const isStart = isNew && over?.id === active.id
      isNew = false
      if (isStart) return undefined
      if (over === null) return `${title(active.id)} is outside the list.`
      return `${title(active.id)} is now at ${place(active.id, over.id)}.`
    },
    onDragEnd: ({ active, over }) =>
      over ? `Dropped ${title(active.id)} at ${place(active.id, over.id)}.` : `Dropped ${title(active.id)}.`,
    onDragCancel: ({ active }) => `${title(active.id)} stays where it was.`,
  }
}
