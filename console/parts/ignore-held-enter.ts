/**
 * Lets Enter act once, however long it is held, except where it writes lines. After an act the focus is on another button,
 * such as the one that opened the dialog: a key that is held would act there, and begin again.
 */
export function ignoreHeldEnter(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !event.repeat) return
      if ((event.target as Element).closest('textarea, [contenteditable]') !== null) return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true },
  )
}
