const focusable = 'input:not([type=hidden]), textarea, select, button, [tabindex]'
const longestMs = 10_000

let pending: (() => void) | undefined

/** Moves the focus to a control as soon as it is shown: its view and settings may still be loading. */
export function focusControl(address: string): void {
  pending?.()
  if (focusNow(address)) return
  const observer = new MutationObserver(() => focusNow(address) && end())
  const timer = setTimeout(end, longestMs)
  pending = end
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    // What is hidden by its style can be focused when that changes.
    attributeFilter: ['data-control', 'style'],
  })

  function end(): void {
    observer.disconnect()
    clearTimeout(timer)
    pending = undefined
  }
}

function focusNow(address: string): boolean {
  const [control] = [...document.querySelectorAll<HTMLElement>(`[data-control="${CSS.escape(address)}"]`)].filter(
    (one) => one.checkVisibility(),
  )
  if (control === undefined) return false
  const target = control.matches(focusable) ? control : (control.querySelector<HTMLElement>(focusable) ?? control)
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'center' })
  return document.activeElement === target
}
