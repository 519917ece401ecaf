import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * A function that searches 250 ms after it was last called. A search that still waits is dropped when one goes to another
 * page: it would navigate as well, and so bring one back while the code of that page loads.
 */
export function useDebouncedSearch(search: (text: string) => void): (text: string) => void {
  const searchLater = useDebouncedCallback(search, 250)
  const router = useRouter()
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && searchLater.cancel()),
    [router, searchLater],
  )
  return searchLater
}
