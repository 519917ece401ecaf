import { isSoundText } from '../../../contract/fields/sound-text.ts'
import type { AddressSearch, User, UserFilter, UserStore } from '../../accounts/user.ts'
import { isUlid } from '../../core/ids.ts'
import type { FoundUser, SearchPosition } from '../../profiles/index/profile-search.ts'
import type { Stores } from '../../storage/storage.ts'
import type { Listing } from './matching-page.ts'
import { findUsers, type UserSearch } from './search-users.ts'

export interface ListedUser {
  readonly user: User
}

const listed = (users: readonly User[]): ListedUser[] => users.map((user) => ({ user }))

/** Users in the order of their ids. */
export const idListing = (filter: UserFilter, users: () => Promise<Pick<UserStore, 'list'>>): Listing<ListedUser> => ({
  async read({ limit, after }) {
    const found = await (await users()).list({ ...filter, limit, cursor: after })
    return { rows: listed(found), next: found.length < limit ? null : found.at(-1)!.id }
  },
  positionOf: ({ user }) => user.id,
  isPosition: isUlid,
})

/** Users in the order of their addresses. */
export const addressListing = (
  search: AddressSearch,
  users: () => Promise<Pick<UserStore, 'search'>>,
): Listing<ListedUser> => ({
  async read(request) {
    const found = await (await users()).search(search, request)
    return { rows: listed(found.users), next: found.next }
  },
  positionOf: ({ user }) => user[search.kind]!,
  isPosition: (text) => text !== '' && isSoundText(text),
  search,
})

const idLength = 26

/** Users in the order of their values of the first field, then of their ids. */
export const profileListing = (
  search: UserSearch,
  stores: Pick<Stores, 'users' | 'profileSearch'>,
): Listing<FoundUser> => ({
  async read({ limit, after }) {
    const rows = await findUsers(search, { limit, after: after === null ? null : parsePosition(after) }, stores)
    return { rows, next: rows.length < limit ? null : printPosition(rows.at(-1)!) }
  },
  positionOf: printPosition,
  isPosition: (text) => isUlid(text.slice(0, idLength)) && isSoundText(text.slice(idLength)),
  search,
})

const printPosition = ({ user, value }: FoundUser): string => user.id + value
const parsePosition = (text: string): SearchPosition => ({
  userId: text.slice(0, idLength),
  value: text.slice(idLength),
})
