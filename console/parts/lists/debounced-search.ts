import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pastedText } from '../../../contract/pasted-text.ts'

/**
 * What is typed into a field of a search, and how to type. It is sent 250 ms after the last key. Only a search from elsewhere
 * replaces what is typed, such as by Back: the URL follows a while after what was sent, and one may have typed on.
 *
 * @param shown the search in the URL
 */
export function useTypedSearch(shown: string, send: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(shown)
  const sent = useRef(shown)
  const search = useDebouncedSearch((text) => {
    sent.current = pastedText(text)
    send(sent.current)
  })
  useEffect(() => {
    if (shown === sent.current) return
    sent.current = shown
    setTyped(shown)
  }, [shown])
  function type(text: string): void {
    setTyped(text)
    search(text)
  }
  return [typed, type]
}

/**
 * A function that searches 250 ms after it was last called. A search that still waits is dropped when one goes to another
 * page: it would navigate as well, and so bring one back while the code of that page loads.
 */
function useDebouncedSearch(search: (text: string) => void): (text: string) => void {
  const searchLater = useDebouncedCallback(search, 250)
  const router = useRouter()
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && searchLater.cancel()),
    [router, searchLater],
  )
  return searchLater
}
