import { VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../counted.ts'
import type { ListPage } from './list-page.ts'

export interface Search {
  /** What one row is, such as `user`. */
  readonly what: string
  /** The search and the filters; the list adds the page. */
  readonly by: object
}

interface FoundProps {
  readonly search: Search
  readonly query: Pick<UseQueryResult<ListPage<unknown>>, 'data' | 'isFetching' | 'isPlaceholderData'>
}

/**
 * How many rows a search has found or another page has, for screen readers: said once its answer is there, and not of what
 * the list begins with or of what changes later. Nothing of an empty list, which says so itself. Stands in a status.
 */
export function Found({ search: { what, by }, query }: FoundProps) {
  const search = JSON.stringify(by)
  const page = query.isFetching || query.isPlaceholderData ? undefined : query.data
  const [answer, setAnswer] = useState<{ search: string; page?: ListPage<unknown> }>({ search })
  if (page !== undefined && answer.search !== search) setAnswer({ search, page })
  if (answer.page === undefined || answer.page !== query.data || answer.page.items.length === 0) return null
  const more = answer.page.nextCursor === null ? '' : ', more on the next page'
  // Another element each time: the same words are said again.
  return (
    <VisuallyHidden key={answer.search}>
      {counted(answer.page.items.length, what)}
      {more}
    </VisuallyHidden>
  )
}
