import type {
  HeldEntry,
  IndexEntry,
  ProfileEntries,
  ProfileIndexStore,
  ReplacedEntry,
  UserEntry,
} from '../../profiles/index/profile-index.ts'
import { columnsOf, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { firstRows } from '../first-rows.ts'
import { type Statement, statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'

const unique = columnsOf<UserEntry>('profile_unique', {
  field: text('field'),
  value: text('value_hash'),
  userId: text('user_id'),
})
const search = columnsOf<UserEntry>('profile_search', {
  field: text('field'),
  value: text('value'),
  userId: text('user_id'),
})
const [uniqueEntries, searchEntries] = [unique.pick('field', 'value'), search.pick('field', 'value')]

const uniqueOf = statement(
  'profileIndex.uniqueOf',
  `SELECT ${uniqueEntries.columns} FROM profile_unique WHERE tenant_id = $1 AND user_id = $2`,
  uniqueEntries,
)
const searchOf = statement(
  'profileIndex.searchOf',
  `SELECT ${searchEntries.columns} FROM profile_search WHERE tenant_id = $1 AND user_id = $2`,
  searchEntries,
)
const claim = statement(
  'profileIndex.claim',
  `${unique.tenantInsert} ON CONFLICT (tenant_id, field, value_hash) DO NOTHING`,
)
const release = statement(
  'profileIndex.release',
  'DELETE FROM profile_unique WHERE tenant_id = $1 AND field = $2 AND value_hash = $3 AND user_id = $4',
)
const holder = statement<{ user_id: string }>(
  'profileIndex.holder',
  'SELECT user_id FROM profile_unique WHERE tenant_id = $1 AND field = $2 AND value_hash = $3',
)
const addSearch = statement(
  'profileIndex.addSearch',
  `${search.tenantInsert} ON CONFLICT (tenant_id, field, value, user_id) DO NOTHING`,
)
const removeSearch = statement(
  'profileIndex.removeSearch',
  'DELETE FROM profile_search WHERE tenant_id = $1 AND field = $2 AND value = $3 AND user_id = $4',
)
const replaceSearch = statement(
  'profileIndex.replaceSearch',
  'UPDATE profile_search SET value = $4 WHERE tenant_id = $1 AND field = $2 AND value = $3 AND user_id = $5',
)
const removeUniqueOf = statement(
  'profileIndex.removeUniqueOf',
  'DELETE FROM profile_unique WHERE tenant_id = $1 AND user_id = $2',
)
const removeSearchOf = statement(
  'profileIndex.removeSearchOf',
  'DELETE FROM profile_search WHERE tenant_id = $1 AND user_id = $2',
)
/** Reads one entry of each index, however many a field has. */
const nextUnique = statement<{ field: string }>(
  'profileIndex.nextUnique',
  'SELECT field FROM profile_unique WHERE tenant_id = $1 AND field > $2 ORDER BY field LIMIT 1',
)
const nextSearch = statement<{ field: string }>(
  'profileIndex.nextSearch',
  'SELECT field FROM profile_search WHERE tenant_id = $1 AND field > $2 ORDER BY field LIMIT 1',
)
const removeUniqueField = statement(
  'profileIndex.removeUniqueField',
  `DELETE FROM profile_unique WHERE tenant_id = $1 AND field = $2 AND value_hash IN
     (${firstRows('SELECT value_hash FROM profile_unique WHERE tenant_id = $1 AND field = $2 ORDER BY 1', '$3')})`,
)
const removeSearchField = statement(
  'profileIndex.removeSearchField',
  `DELETE FROM profile_search WHERE tenant_id = $1 AND field = $2 AND (value, user_id) IN
     (${firstRows('SELECT value, user_id FROM profile_search WHERE tenant_id = $1 AND field = $2 ORDER BY 1, 2', '$3')})`,
)

/** One tenant's index of unique and searchable values in any SQL database. */
export class SqlProfileIndexStore implements ProfileIndexStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  requireTransaction(): void {}

  entriesOf(userId: string): Promise<ProfileEntries> {
    return this.#executor.read(async (sql) => {
      const [claimed, searched] = await Promise.all([
        sql.rows(uniqueOf, this.#tenantId, userId),
        sql.rows(searchOf, this.#tenantId, userId),
      ])
      return { unique: uniqueEntries.readAll(claimed), search: searchEntries.readAll(searched) }
    })
  }

  claim(entries: readonly UserEntry[]): Promise<HeldEntry[]> {
    return this.#executor.write(async (sql) => {
      // Transactions that claim in the same order do not deadlock.
      const sorted = [...entries].sort(inOrder)
      const changes = await Promise.all(
        sorted.map(({ field, value, userId }) => sql.run(claim, this.#tenantId, field, value, userId)),
      )
      const held = sorted.filter((_, index) => changes[index] === 0)
      const rows = await Promise.all(held.map(({ field, value }) => sql.row(holder, this.#tenantId, field, value)))
      return held.flatMap((entry, index) => {
        const row = rows[index]
        if (!row) throw new WriteConflict('The holder of a unique value gave it up in the meantime')
        return row.user_id === entry.userId ? [] : { ...entry, holder: row.user_id }
      })
    })
  }

  release(entries: readonly UserEntry[]): Promise<void> {
    return this.#each(release, entries)
  }

  addSearch(entries: readonly UserEntry[]): Promise<void> {
    return this.#each(addSearch, entries)
  }

  removeSearch(entries: readonly UserEntry[]): Promise<void> {
    return this.#each(removeSearch, entries)
  }

  replaceSearch(entries: readonly ReplacedEntry[]): Promise<void> {
    return this.#executor.write(async (sql) => {
      await Promise.all(
        [...entries]
          .sort(inOrder)
          .map(({ field, before, value, userId }) =>
            sql.run(replaceSearch, this.#tenantId, field, before, value, userId),
          ),
      )
    })
  }

  holders(entries: readonly IndexEntry[]): Promise<UserEntry[]> {
    return this.#executor.read(async (sql) => {
      const rows = await Promise.all(entries.map(({ field, value }) => sql.row(holder, this.#tenantId, field, value)))
      return entries.flatMap((entry, index) => {
        const row = rows[index]
        return row ? [{ ...entry, userId: row.user_id }] : []
      })
    })
  }

  async removeAllOf(userId: string): Promise<void> {
    await this.#executor.write(async (sql) => {
      await Promise.all([
        sql.run(removeUniqueOf, this.#tenantId, userId),
        sql.run(removeSearchOf, this.#tenantId, userId),
      ])
    })
  }

  nextField(after: string): Promise<string | null> {
    return this.#executor.read(async (sql) => {
      const rows = await Promise.all([
        sql.row(nextUnique, this.#tenantId, after),
        sql.row(nextSearch, this.#tenantId, after),
      ])
      return rows.flatMap((row) => row?.field ?? []).sort()[0] ?? null
    })
  }

  removeField(field: string, batch: number): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      const removed = await Promise.all([
        sql.run(removeUniqueField, this.#tenantId, field, batch),
        sql.run(removeSearchField, this.#tenantId, field, batch),
      ])
      return removed.some((rows) => rows >= batch)
    })
  }

  #each(change: Statement, entries: readonly UserEntry[]): Promise<void> {
    return this.#executor.write(async (sql) => {
      await Promise.all(
        [...entries]
          .sort(inOrder)
          .map(({ field, value, userId }) => sql.run(change, this.#tenantId, field, value, userId)),
      )
    })
  }
}

function inOrder(a: IndexEntry, b: IndexEntry): number {
  if (a.field !== b.field) return a.field < b.field ? -1 : 1
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
}
