import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

/** Whether single letters act; can be switched off (WCAG 2.1.4). Remembered in this browser. */
export const useLetterKeysOn = (): [boolean, (isOn: boolean) => void] => {
  const [stored, setStored] = useLocalStorage({
    key: 'tenantry.letter-keys',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  })
  return [stored !== 'off', (isOn) => setStored(isOn ? 'on' : 'off')]
}

/** Whether a dialog is open: shortcuts that leave the screen would lose what was typed there. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** The second letter of a pair follows within this time. */
const pairMs = 1_500

/**
 * Calls the act of a letter, or of two in a row, while no field has the focus, no dialog is open, and no other key is
 * held.
 *
 * @param acts what each letter does, such as `{ j: next, k: previous, 'g t': showTenants }`
 */
export function useLetterKeys(acts: Readonly<Record<string, () => void>>): void {
  const [isOn] = useLetterKeysOn()
  const latest = useRef(acts)
  latest.current = acts
  const first = useRef({ key: '', at: 0 })
  useEffect(() => {
    if (!isOn) return
    function press(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const { key, at } = first.current
      const pair = event.timeStamp - at < pairMs ? `${key} ${event.key}` : ''
      first.current = { key: event.key, at: event.timeStamp }
      const act = latest.current[pair] ?? latest.current[event.key]
      if (act === undefined) return
      const target = event.target as Element
      if (target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"]')) return
      if (isDialogOpen()) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}
