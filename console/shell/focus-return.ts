import { useEffect } from 'react'

const dialog = '[role="dialog"]'

/**
 * Gives the focus back when a dialog ends: to what had it before, or to the button of the menu from which it was opened; to
 * the heading of the screen if that is gone. Dialogs that are removed from the page at once would leave it with nothing, and
 * the keyboard would begin at the top.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    let opener: HTMLElement | null = null
    let wasInDialog = false
    function remember({ target }: FocusEvent): void {
      if (!(target instanceof HTMLElement)) return
      wasInDialog = target.closest(dialog) !== null
      if (!wasInDialog) opener = buttonOfMenu(target) ?? target
    }
    function giveBack(): void {
      if (!wasInDialog || document.activeElement !== document.body || document.querySelector(dialog) !== null) return
      wasInDialog = false
      opener?.focus({ preventScroll: true })
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(giveBack)
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
}

/** The items of a menu go with it. */
function buttonOfMenu(item: HTMLElement): HTMLElement | null {
  const menu = item.closest('[role="menu"]')
  return menu && document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(menu.id)}"]`)
}
