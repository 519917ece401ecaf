import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Line } from './list-places.ts'

/** What is dragged, and empty space at both ends of the list, in pixels: as high as what is folded above and below. */
interface Folded {
  readonly dragged: Line['kind']
  readonly gaps: { readonly above: number; readonly below: number }
}

/** Marks settings that are folded while a line is dragged. */
export const folds = { 'data-folds': true } as const

/** While a field is dragged, settings are folded; while a section is dragged, the fields of all sections, too. */
const foldedWith: Readonly<Record<Line['kind'], string>> = {
  field: '[data-folds]',
  section: '[data-field], [data-line]:not([data-field]) [data-folds]',
}

/**
 * Folds open settings, and the fields of sections, while a line is dragged, so that lines are short and near each other. Gaps
 * keep the dragged line below the pointer and the page as high as it was. Afterwards everything is open again, and the line
 * stays in view.
 * @param list its lines have their id as `data-line`, fields their name as `data-field`
 */
export function useFolding(list: RefObject<HTMLElement | null>) {
  const [folded, setFolded] = useState<Folded | null>(null)
  const dropped = useRef<{ readonly id: string; readonly kind: Line['kind']; readonly above: number } | null>(null)
  const fold = useCallback(
    (id: string, kind: Line['kind']) => {
      const all = heightOf(foldsIn(list.current, kind))
      const above = heightOf(foldsAbove(list.current, id, kind))
      dropped.current = { id, kind, above }
      setFolded({ dragged: kind, gaps: { above, below: all - above } })
    },
    [list],
  )
  const unfold = useCallback(() => setFolded(null), [])
  useLayoutEffect(() => {
    if (folded !== null || dropped.current === null) return
    const { id, kind, above } = dropped.current
    dropped.current = null
    const moved = heightOf(foldsAbove(list.current, id, kind)) - above
    if (moved !== 0) scrollBy(0, moved)
  }, [folded, list])
  return { dragged: folded?.dragged ?? null, gaps: folded?.gaps ?? null, fold, unfold }
}

const foldsIn = (list: Element | null, kind: Line['kind']): Element[] => [
  ...(list?.querySelectorAll(foldedWith[kind]) ?? []),
]

function foldsAbove(list: Element | null, id: string, kind: Line['kind']): Element[] {
  const line = list?.querySelector(`[data-line="${CSS.escape(id)}"]`)
  if (!line) return []
  return foldsIn(list, kind).filter(
    (one) => !line.contains(one) && (line.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
  )
}

/** A line takes the gap between lines with it. */
function spaceOf(element: Element): number {
  const gap = element.matches('[data-line]') ? Number.parseFloat(getComputedStyle(element.parentElement!).rowGap) : 0
  return element.getBoundingClientRect().height + gap
}

const heightOf = (elements: readonly Element[]): number => elements.reduce((sum, element) => sum + spaceOf(element), 0)
