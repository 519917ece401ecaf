/**
 * Ignores the second click of a double click
 *
 * - where the first one has put another button or link under the pointer: the next row of a list, or the answer to a
 *   question. That click was not meant for it;
 * - on a button that submits a form: the first one may be answered already.
 */
export function ignoreSecondClicks(): void {
  let pressed: Element | null = null
  let isIgnored = false
  document.addEventListener(
    'mousedown',
    ({ target, detail }) => {
      const control = (target as Element).closest('button, a')
      isIgnored = detail > 1 && (control !== pressed || isSubmit(control))
      pressed = control
    },
    { capture: true },
  )
  document.addEventListener(
    'click',
    (event) => {
      // A click by the keyboard has no count.
      if (!isIgnored || event.detail === 0 || (event.target as Element).closest('button, a') === null) return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true },
  )
}

const isSubmit = (control: Element | null): boolean => control instanceof HTMLButtonElement && control.type === 'submit'
