import { type RefObject, useRef } from 'react'
import { useLetterKeys } from '../letter-keys.ts'

/** `j` and `k` move the focus to the link of the next and the previous row; Enter then follows it. Put the ref on the table. */
export function useRowKeys<E extends HTMLElement>(): RefObject<E | null> {
  const table = useRef<E>(null)
  function move(step: 1 | -1): void {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])]
    const current = links.indexOf(document.activeElement as HTMLElement)
    const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step
    links[next]?.focus()
  }
  useLetterKeys({ j: () => move(1), k: () => move(-1) })
  return table
}
