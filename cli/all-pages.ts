interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** All items of a list, fetched page by page. */
export async function allPages<T>(list: (query: { limit: string; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let page: Page<T> | undefined
  do {
    page = await list({ limit: '200', ...(page?.nextCursor && { cursor: page.nextCursor }) })
    items.push(...page.items)
  } while (page.nextCursor !== null)
  return items
}
