/**
 * Ignores the second click of a double click where the first one has put another button or link under the pointer: the next
 * row of a list, or the answer to a question. That click was not meant for it.
 */
export function ignoreMovedClicks(): void {
  let pressed: Element | null = null
  let isMoved = false
  document.addEventListener(
    'mousedown',
    ({ target, detail }) => {
      const control = (target as Element).closest('button, a')
      isMoved = detail > 1 && control !== pressed
      pressed = control
    },
    { capture: true },
  )
  document.addEventListener(
    'click',
    (event) => {
      // A click by the keyboard has no count.
      if (!isMoved || event.detail === 0 || (event.target as Element).closest('button, a') === null) return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true },
  )
}
