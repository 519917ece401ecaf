/** What single letters do in the inbox. */
export const inboxKeys = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  c: copyCode,
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-message]')]

/** Moves the focus by `steps` messages; to the first one if none has it. */
function moveFocus(steps: number): void {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[at === -1 ? 0 : Math.min(Math.max(at + steps, 0), all.length - 1)]?.focus()
}

/** Presses the copy button of the message with the focus, or of the newest one that has a code. */
function copyCode(): void {
  const row = document.activeElement?.closest<HTMLElement>('[data-code]') ?? document.querySelector('[data-code]')
  row?.querySelector<HTMLElement>('[data-copy]')?.click()
}
