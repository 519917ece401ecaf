import { toast } from '../parts/toast.ts'

/** What single letters do in the inbox. */
export const inboxKeys = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  c: () => void copyCode(),
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-message]')]

/** Moves the focus by `steps` messages; to the first one if none has it. */
function moveFocus(steps: number): void {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[at === -1 ? 0 : Math.min(Math.max(at + steps, 0), all.length - 1)]?.focus()
}

/** Copies the code of the message with the focus, or of the newest one that has a code. */
async function copyCode(): Promise<void> {
  const row = document.activeElement?.closest<HTMLElement>('[data-code]') ?? document.querySelector('[data-code]')
  const code = row?.getAttribute('data-code')
  if (code == null) return
  await navigator.clipboard.writeText(code)
  toast(`${code} is copied.`)
}
