import type { Draft, DraftField, DraftSection } from '../draft.ts'
import { groupsOf } from '../draft.ts'
import type { Edit } from '../editing.ts'
import type { FieldPlace } from './move-field.ts'

/** A line of the list: the head of a section, or a field below one. */
export type Line =
  | { readonly id: string; readonly kind: 'section'; readonly section: DraftSection | null }
  | { readonly id: string; readonly kind: 'field'; readonly field: DraftField; readonly group: string | null }

const outside = 'section:'

/** The list as lines, in the order of the profile page. Without sections it has fields only. */
export function linesOf(draft: Pick<Draft, 'fields' | 'sections'>): Line[] {
  const groups = groupsOf(draft)
  const hasHeads = draft.sections.length > 0
  const listed = new Set<string>()
  // A field keeps its id in another section: what is open and focused there stays so.
  function idOf({ key }: DraftField, group: string | null): string {
    const isFirst = !listed.has(key)
    listed.add(key)
    return isFirst ? `field:${key}` : `field:${key}:${group}`
  }
  return groups.flatMap(({ key, section, fields }): Line[] => {
    const lines: Line[] = fields.map((field) => ({
      ...{ id: idOf(field, key), kind: 'field', field, group: key },
    }))
    if (!hasHeads || (key === null && fields.length === 0)) return lines
    return [{ id: key === null ? outside : `section:${key}`, kind: 'section', section }, ...lines]
  })
}

/** Where a field goes that is dropped on another line. */
export function placeAt(lines: readonly Line[], from: number, to: number): FieldPlace {
  const others = lines.toSpliced(from, 1)
  const above = others.slice(0, to)
  const head = above.findLastIndex(({ kind }) => kind === 'section')
  const line = above[head] ?? others.find(({ kind }) => kind === 'section')
  const section = line?.kind === 'section' ? (line.section?.key ?? null) : null
  return { section, index: head < 0 ? (line === undefined ? above.length : 0) : above.length - head - 1 }
}

/** The index among sections of a section that is dropped on another line. */
export function sectionIndexAt(lines: readonly Line[], from: number, to: number): number {
  const others = lines.toSpliced(from, 1)
  return others.slice(0, to).filter((line) => line.kind === 'section' && line.section !== null).length
}

/** The edit that drops a line on another one; null for what stays where it is. */
export function dropOn(lines: readonly Line[], from: number, to: number): Edit | null {
  const line = lines[from]
  if (line?.kind === 'field') {
    return { do: 'moveField', key: line.field.key, from: line.group, to: placeAt(lines, from, to) }
  }
  if (!line?.section) return null
  return { do: 'moveSection', key: line.section.key, index: sectionIndexAt(lines, from, to) }
}

/** One line up or down, also into the section above or below; null at the end of the list. */
export function placeBeside(lines: readonly Line[], from: number, by: 1 | -1): FieldPlace | null {
  const to = from + by
  const isFirstHead = to === 0 && lines[0]?.kind === 'section'
  return to < 0 || to >= lines.length || isFirstHead ? null : placeAt(lines, from, to)
}
