import type { User } from '../../accounts/user.ts'
import type {
  FoundUser,
  ProfileSearch,
  ProfileSearchStore,
  SearchPosition,
  SearchRange,
} from '../../profiles/index/profile-search.ts'
import type { Row } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { successorOf } from './filters.ts'
import { users } from './user-columns.ts'

const found = {
  read: (row: Row<FoundUser>): FoundUser => ({
    user: users.read(row as Row<User>),
    value: row[users.width] as string,
  }),
}
/**
 * A further range, looked up for one user; its field is empty when there is none. With EXISTS, PostgreSQL may read all
 * entries of the range into a hash table first, which it never does for a value.
 */
const further = (field: number) =>
  `($${field} = '' OR (SELECT 1 FROM profile_search f WHERE f.tenant_id = $1 AND f.user_id = s.user_id
     AND f.field = $${field} AND f.value >= $${field + 1} AND f.value < $${field + 2} LIMIT 1) IS NOT NULL)`
const list = statement(
  'profileSearch.list',
  `SELECT ${users.of('u')}, s.value
   FROM profile_search s JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id
   WHERE s.tenant_id = $1 AND s.field = $2
     AND (s.value, s.user_id) >= ($3, $4) AND (s.value, s.user_id) < ($5, $6)
     AND s.user_id >= $7 AND s.user_id < $8 AND ${further(9)} AND ${further(12)}
   ORDER BY s.value, s.user_id LIMIT $15`,
  found,
)
const position = statement<{ value: string; user_id: string }>(
  'profileSearch.position',
  `SELECT value, user_id FROM profile_search
   WHERE tenant_id = $1 AND field = $2 AND (value, user_id) >= ($3, $4) AND (value, user_id) < ($5, $6)
   ORDER BY value, user_id LIMIT 1 OFFSET $7`,
)
const holds = statement<{ user_id: string }>(
  'profileSearch.holds',
  `SELECT user_id FROM profile_search
   WHERE tenant_id = $1 AND user_id = $2 AND field = $3 AND value >= $4 AND value < $5 LIMIT 1`,
)

/** Entries that one statement reads at most, so that a search that finds little does not keep SQLite from other work. */
const window = 2_000
/** Sorts after every id with a given prefix, because ids consist of letters and digits. */
const behind = '~'
const noRange: SearchRange = { field: '', from: '', to: '' }

/** One tenant's index of searchable fields in any SQL database. */
export class SqlProfileSearchStore implements ProfileSearchStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async list(
    { ranges, idPrefix = '' }: ProfileSearch,
    { limit, after }: { readonly limit: number; readonly after: SearchPosition | null },
  ): Promise<FoundUser[]> {
    const [first, second = noRange, third = noRange] = ranges
    const { field, from, to } = first
    // Entries of one value are in the order of ids.
    const isOneValue = to === successorOf(from)
    const bounds = isOneValue
      ? { start: { value: from, userId: idPrefix }, last: { value: from, userId: idPrefix + behind } }
      : { start: { value: from, userId: '' }, last: { value: to, userId: '' } }
    const readsAll = ranges.length === 1 && (isOneValue || idPrefix === '')
    const filters = [idPrefix, idPrefix + behind, ...parametersOf(second), ...parametersOf(third)]
    const results: FoundUser[] = []
    let start = after === null ? bounds.start : { value: after.value, userId: successorOf(after.userId) }
    for (;;) {
      const next = readsAll ? null : await this.#position(field, start, bounds.last)
      const section = [field, ...placeOf(start), ...placeOf(next ?? bounds.last)]
      const rows = await this.#executor.read(async (sql) =>
        sql.rows(list, this.#tenantId, ...section, ...filters, limit - results.length),
      )
      results.push(...rows.map(found.read))
      if (next === null || results.length >= limit) return results
      start = next
    }
  }

  holds(userId: string, { field, from, to }: SearchRange): Promise<boolean> {
    return this.#executor.read(async (sql) => (await sql.row(holds, this.#tenantId, userId, field, from, to)) !== null)
  }

  /** The position after as many entries as one statement reads; null when there are not more. */
  #position(field: string, start: SearchPosition, last: SearchPosition): Promise<SearchPosition | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(position, this.#tenantId, field, ...placeOf(start), ...placeOf(last), window)
      return row && { value: row.value, userId: row.user_id }
    })
  }
}

const placeOf = ({ value, userId }: SearchPosition) => [value, userId] as const
const parametersOf = ({ field, from, to }: SearchRange) => [field, from, to] as const
