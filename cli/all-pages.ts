interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

type List<T> = (query: { limit: string; cursor?: string }) => Promise<Page<T>>

const largestPage = 200

/** All items of a list, fetched page by page. */
export const allPages = <T>(list: List<T>): Promise<T[]> => firstItems(Infinity, list)

/** The first items of a list, at most so many, fetched page by page. */
export async function firstItems<T>(most: number, list: List<T>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null | undefined
  while (items.length < most && cursor !== null) {
    const limit = String(Math.min(most - items.length, largestPage))
    const page = await list({ limit, ...(cursor && { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}
