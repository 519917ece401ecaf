import { useEffect } from 'react'

const dialog = '[role="dialog"]'

/** Parts of a screen that people tell apart. */
const parts = `section, form, li, main, [role="region"], ${dialog}`

/**
 * Keeps the focus when what had it is gone or disabled: otherwise a screen reader loses its place, and the keyboard has to
 * begin again. The focus goes
 *
 * - back to a button that was disabled for as long as its act took;
 * - after a dialog, to what had it before, or to the button of the menu from which it was opened; to the heading of the
 *   screen if that is gone;
 * - otherwise to the part of the screen in which it was.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    let last: HTMLElement | null = null
    let opener: HTMLElement | null = null
    let above: readonly HTMLElement[] = []
    let wasDisabled = false
    function remember({ target }: FocusEvent): void {
      if (!(target instanceof HTMLElement)) return
      last = target
      above = partsAround(target)
      wasDisabled = false
      if (!above.some(isDialog)) opener = buttonOfMenu(target) ?? target
    }
    function giveBack(): void {
      if (last === null) return
      if (last.isConnected && last.matches(':disabled')) wasDisabled = true
      else if (document.activeElement === document.body) {
        const isAfterDialog = above.some(isDialog)
        focusFirst(placesFor(last))
        // What the dialog added may have moved its button out of view.
        if (isAfterDialog && document.activeElement === opener) opener?.scrollIntoView({ block: 'nearest' })
      }
    }
    function placesFor(lost: HTMLElement): readonly (HTMLElement | null)[] {
      if (lost.isConnected) return wasDisabled ? [lost] : []
      if (!above.some(isDialog)) return [opener, ...above]
      return document.querySelector(dialog) === null ? [opener, document.querySelector('h1')] : above
    }
    const observer = new MutationObserver(giveBack)
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
}

const isDialog = (element: Element): boolean => element.matches(dialog)

function focusFirst(places: readonly (HTMLElement | null)[]): void {
  for (const place of places) {
    if (place === null || !place.isConnected) continue
    if (place.matches(parts)) {
      place.tabIndex = -1
      place.style.outline = 'none'
    }
    place.focus({ preventScroll: true })
    if (document.activeElement === place) return
  }
}

/** The parts of the screen that contain an element, the smallest one first. */
function partsAround(element: HTMLElement): HTMLElement[] {
  const part = element.parentElement?.closest<HTMLElement>(parts)
  return part == null ? [] : [part, ...partsAround(part)]
}

/** The items of a menu go with it. */
function buttonOfMenu(item: HTMLElement): HTMLElement | null {
  const menu = item.closest('[role="menu"]')
  return menu && document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(menu.id)}"]`)
}
