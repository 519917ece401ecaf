import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Empty space at both ends of the list, in pixels: as high as the settings that are folded above and below. */
interface Gaps {
  readonly above: number
  readonly below: number
}

/** Marks settings that are folded while a line is dragged. */
export const folds = { 'data-folds': true } as const

/**
 * Folds open settings while a line is dragged, so that lines are short and near each other. Gaps keep the dragged line
 * below the pointer and the page as high as it was. Afterwards the settings are open again, and the line stays in view.
 * @param list its lines have their id as `data-line`
 */
export function useFolding(list: RefObject<HTMLElement | null>) {
  const [gaps, setGaps] = useState<Gaps | null>(null)
  const dropped = useRef<{ readonly id: string; readonly above: number } | null>(null)
  const fold = useCallback(
    (id: string) => {
      const all = heightOf(foldsIn(list.current))
      const above = heightOf(foldsAbove(list.current, id))
      dropped.current = { id, above }
      setGaps({ above, below: all - above })
    },
    [list],
  )
  const unfold = useCallback(() => setGaps(null), [])
  useLayoutEffect(() => {
    if (gaps !== null || dropped.current === null) return
    const { id, above } = dropped.current
    dropped.current = null
    const moved = heightOf(foldsAbove(list.current, id)) - above
    if (moved !== 0) scrollBy(0, moved)
  }, [gaps, list])
  return { isFolded: gaps !== null, gaps, fold, unfold }
}

const foldsIn = (list: Element | null): Element[] => [...(list?.querySelectorAll('[data-folds]') ?? [])]

function foldsAbove(list: Element | null, id: string): Element[] {
  const line = list?.querySelector(`[data-line="${CSS.escape(id)}"]`)
  if (!line) return []
  return foldsIn(list).filter(
    (one) => !line.contains(one) && (line.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
  )
}

const heightOf = (elements: readonly Element[]): number =>
  elements.reduce((sum, element) => sum + element.getBoundingClientRect().height, 0)
