import type { UserFilter } from '../../accounts/user.ts'
import type { FoundUser, SearchPosition, SearchRange } from '../../profiles/index/profile-search.ts'
import type { Stores } from '../../storage/storage.ts'

/** Users who match a filter and have profile values in all ranges. */
export interface UserSearch {
  readonly filter: UserFilter
  readonly ranges: readonly [SearchRange, ...SearchRange[]]
}

/**
 * A page of results in the order of the first range's values, then of ids. A user whose value changes between two pages may
 * be on both or on neither.
 */
export async function findUsers(
  { filter, ranges }: UserSearch,
  { limit, after }: { readonly limit: number; readonly after: SearchPosition | null },
  { users, profileSearch }: Pick<Stores, 'users' | 'profileSearch'>,
): Promise<FoundUser[]> {
  const { email, phone, idPrefix } = filter
  if (email === undefined && phone === undefined) {
    return profileSearch.list({ ranges, ...(idPrefix !== undefined && { idPrefix }) }, { limit, after })
  }
  // At most one user has the address, so there is no second page.
  const [user] = after === null ? await users.list({ ...filter, limit: 1, cursor: null }) : []
  if (user === undefined) return []
  const held = await Promise.all(ranges.map((range) => profileSearch.holds(user.id, range)))
  return held.every(Boolean) ? [{ user, value: ranges[0].from }] : []
}
