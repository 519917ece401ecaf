import type { UserOrder, UserState } from '../../../contract/accounts/user.ts'
import type { AddressKind, AddressSearch, FoundAddresses, User } from '../../accounts/user.ts'
import type { PageRequest } from '../../tenants/tenant.ts'
import type { Row } from '../columns.ts'
import type { Executor } from '../database.ts'
import { userStates } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'
import { successorOf } from './filters.ts'
import { users } from './user-columns.ts'

type ListStatement = Statement<Row<User>>

const listIn = (name: string, condition: string): Readonly<Record<UserOrder, ListStatement>> => ({
  oldest: statement(
    `user.list${name}`,
    `SELECT ${users.columns} FROM users
     WHERE tenant_id = $1 AND id >= $2 AND id < $3${condition} ORDER BY id LIMIT $4`,
    users,
  ),
  newest: statement(
    `user.listNewest${name}`,
    `SELECT ${users.columns} FROM users
     WHERE tenant_id = $1 AND id >= $2 AND id < $3${condition} ORDER BY id DESC LIMIT $4`,
    users,
  ),
})

/** Each condition is that of a partial index, which has the ids of a tenant in order. */
const inState = (state: UserState) => ` AND ${userStates[state]}`

/** $1 is the tenant, $2 and $3 a range of ids without its end, and $4 the limit. SQLite uses only one bound on each side. */
const lists = {
  any: listIn('', ''),
  suspended: listIn('Suspended', inState('suspended')),
  restricted: listIn('Restricted', inState('restricted')),
  guest: listIn('Guests', inState('guest')),
  unverified: listIn('Unverified', inState('unverified')),
} as const satisfies Record<UserState | 'any', unknown>

/** Whether a user is in the state $5, or that is empty. */
const inGivenState = Object.entries(userStates)
  .map(([state, condition]) => `($5 = '${state}' AND ${condition})`)
  .join(' OR ')

const searchBy = (kind: AddressKind, name: string) => ({
  /** $1 is the tenant, $2 and $3 a range of addresses without its end, and $4 the limit. */
  search: statement(
    `user.searchBy${name}`,
    `SELECT ${users.columns} FROM users
     WHERE tenant_id = $1 AND ${kind} >= $2 AND ${kind} < $3 AND ($5 = '' OR ${inGivenState})
     ORDER BY ${kind} LIMIT $4`,
    users,
  ),
  /** The address after $4 others in the range. */
  place: statement<{ address: string }>(
    `user.placeBy${name}`,
    `SELECT ${kind} AS address FROM users WHERE tenant_id = $1 AND ${kind} >= $2 AND ${kind} < $3
     ORDER BY ${kind} LIMIT 1 OFFSET $4`,
  ),
})

const searches = { email: searchBy('email', 'Email'), phone: searchBy('phone', 'Phone') } as const

/** Entries that one statement reads at most, so that a search that finds little does not keep SQLite from other work. */
const window = 500
/** Sorts after every id and address with a given prefix, because both are ASCII. */
const behind = '\u007f'

interface IdPage extends PageRequest {
  readonly idPrefix?: string
  readonly order?: UserOrder
}

/** Whether a user is on this page of a list or on a later one. */
export const isOnPage = (id: string, { cursor, idPrefix = '', order }: IdPage): boolean =>
  id.startsWith(idPrefix) && (cursor === null || (order === 'newest' ? id < cursor : id > cursor))

const earlier = (one: string, other: string) => (one < other ? one : other)
const later = (one: string, other: string) => (one > other ? one : other)

/** A page of users in the order of their ids. */
export function listUsers(
  executor: Executor,
  tenantId: string,
  { limit, cursor, idPrefix = '', order = 'oldest', state }: IdPage & { readonly state?: UserState },
): Promise<User[]> {
  const [start, end] = [idPrefix, idPrefix + behind]
  const range =
    order === 'newest'
      ? [start, earlier(cursor ?? end, end)]
      : [later(cursor === null ? start : successorOf(cursor), start), end]
  const list = lists[state ?? 'any'][order]
  return executor.read(async (sql) => users.readAll(await sql.rows(list, tenantId, ...range, limit)))
}

/** A section of the users with an address in a range, in the order of the addresses. */
export async function searchAddresses(
  executor: Executor,
  tenantId: string,
  { kind, prefix, state }: AddressSearch,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<FoundAddresses> {
  const { search, place } = searches[kind]
  const start = after === null ? prefix : successorOf(after)
  const pause = state === undefined ? null : await lastOfWindow()
  const end = pause === null ? prefix + behind : successorOf(pause)
  const found = await executor.read(async (sql) =>
    users.readAll(await sql.rows(search, tenantId, start, end, limit, state ?? '')),
  )
  const next = found.length === limit ? (found.at(-1)?.[kind] ?? null) : pause
  return { users: found, next }

  function lastOfWindow(): Promise<string | null> {
    return executor.read(async (sql) => {
      const row = await sql.row(place, tenantId, start, prefix + behind, window - 1)
      return row?.address ?? null
    })
  }
}
