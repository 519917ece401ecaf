import type { QueuedEvent } from '../../events/event.ts'
import type { IndexState, ProfileStore, StoredProfile } from '../../profiles/profile-store.ts'
import { columnsOf, json, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { effectWithEvent, recordable } from './event-queue.ts'

const profiles = columnsOf<Required<Omit<StoredProfile, 'content' | 'unprovenFields' | 'indexedOrdinal'>>>('profiles', {
  id: text('id'),
  userId: text('user_id'),
  schemaVersion: text('schema_version'),
  values: json('content', undefined, (values, { content }: StoredProfile) => content ?? JSON.stringify(values)),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
  revision: number('revision'),
})
const unproven = columnsOf<{ readonly fields: readonly string[] | null }>('profiles', {
  fields: json('unproven_fields'),
})
const indexed = columnsOf<{ readonly indexedOrdinal: number | null }>('profiles', {
  indexedOrdinal: number('indexed_ordinal'),
})
const stored = profiles.and(unproven).and(indexed)
const indexStates = profiles.pick('id', 'userId').and(indexed)

const find = statement(
  'profile.find',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND user_id = $2`,
  stored,
)
const add = recordable(statement('profile.add', `${profiles.and(indexed).tenantInsert} ON CONFLICT DO NOTHING`))
/** The id is compared because a profile that was deleted and created again starts at the first revision. */
const replace = recordable(
  statement(
    'profile.replace',
    `UPDATE profiles SET content = $4, updated_at = $5, unproven_fields = $7, revision = revision + 1
   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revision = $6`,
  ),
)
/** For a profile that was migrated. The version has an index, so other updates leave it alone. */
const replaceMigrated = recordable(
  statement(
    'profile.replaceMigrated',
    `UPDATE profiles SET content = $4, updated_at = $5, unproven_fields = $7, schema_version = $8, revision = revision + 1
   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revision = $6`,
  ),
)
const listBetween = statement(
  'profile.listBetween',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND user_id >= $2 AND user_id <= $3`,
  stored,
)
const list = statement(
  'profile.list',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  stored,
)
const listIndexStates = statement(
  'profile.listIndexStates',
  `SELECT ${indexStates.columns} FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  indexStates,
)
const markIndexed = statement(
  'profile.markIndexed',
  `UPDATE profiles SET indexed_ordinal = $5, revision = revision + 1
   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revision = $4`,
)
const countUpTo = statement<{ count: number }>(
  'profile.countUpTo',
  'SELECT COUNT(*) AS count FROM (SELECT id FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3) first',
)
/** Locks the row, so that the fields to mark are those of the values that it keeps. */
const lockChanged = statement(
  'profile.lockChanged',
  `UPDATE profiles SET revision = revision + 1 WHERE tenant_id = $1 AND user_id = $2 RETURNING ${profiles.columns}`,
  profiles,
)
const markUnproven = statement(
  'profile.markUnproven',
  'UPDATE profiles SET unproven_fields = $3 WHERE tenant_id = $1 AND user_id = $2',
)
const idsAfter = statement<{ id: string }>(
  'profile.idsAfter',
  'SELECT id FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3',
)
const countByVersion = statement<{ version: string; count: number }>(
  'profile.countByVersion',
  'SELECT schema_version AS version, COUNT(*) AS count FROM profiles WHERE tenant_id = $1 GROUP BY schema_version',
)
/** SQLite counts in pages: one statement for a million profiles stops the event loop for 100 ms or longer. */
const countedAtOnce = 20_000
const nextVersion = statement<{ version: string | null }>(
  'sqlite.profile.nextVersion',
  'SELECT MIN(schema_version) AS version FROM profiles WHERE tenant_id = $1 AND schema_version > $2',
)
const countNext = statement<{ count: number; last: number | null }>(
  'sqlite.profile.countNext',
  `SELECT COUNT(*) AS count, MAX(place) AS last FROM
     (SELECT rowid AS place FROM profiles WHERE tenant_id = $1 AND schema_version = $2 AND rowid > $3
      ORDER BY rowid LIMIT ${countedAtOnce}) next_profiles`,
)
const remove = statement('profile.remove', 'DELETE FROM profiles WHERE tenant_id = $1 AND user_id = $2')

/** One tenant's profiles in any SQL database. */
export class SqlProfileStore implements ProfileStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  find(userId: string): Promise<StoredProfile | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, userId)
      return row && toProfile(row)
    })
  }

  async save(
    profile: StoredProfile,
    previous: StoredProfile | null,
    event: QueuedEvent | null = null,
  ): Promise<boolean> {
    const tenantId = this.#tenantId
    if (previous === null) {
      const values = profiles.values({ ...profile, revision: 1 })
      const { indexedOrdinal = null } = profile
      return effectWithEvent(this.#executor, event, add, tenantId, ...values, indexedOrdinal)
    }
    const { userId, schemaVersion, updatedAt } = profile
    const content = profile.content ?? JSON.stringify(profile.values)
    const { revision } = previous
    if (revision === undefined) throw new TypeError('The previous profile must be one that storage returned')
    const unproven = profile.unprovenFields?.length ? JSON.stringify(profile.unprovenFields) : null
    const values = [userId, previous.id, content, updatedAt, revision, unproven] as const
    return schemaVersion === previous.schemaVersion
      ? effectWithEvent(this.#executor, event, replace, tenantId, ...values)
      : effectWithEvent(this.#executor, event, replaceMigrated, tenantId, ...values, schemaVersion)
  }

  listBetween(firstUserId: string, lastUserId: string): Promise<StoredProfile[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(listBetween, this.#tenantId, firstUserId, lastUserId)).map(toProfile),
    )
  }

  list({ limit, cursor }: { limit: number; cursor: string | null }): Promise<StoredProfile[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(list, this.#tenantId, cursor ?? '', limit)).map(toProfile),
    )
  }

  listIndexStates({ limit, cursor }: { limit: number; cursor: string | null }): Promise<IndexState[]> {
    return this.#executor.read(async (sql) =>
      indexStates.readAll(await sql.rows(listIndexStates, this.#tenantId, cursor ?? '', limit)),
    )
  }

  async markIndexed({ id, userId, revision }: StoredProfile, ordinal: number): Promise<boolean> {
    if (revision === undefined) throw new TypeError('The profile must be one that storage returned')
    const { changes } = await this.#executor.effect(markIndexed, this.#tenantId, userId, id, revision, ordinal)
    return changes === 1
  }

  countUpTo(limit: number): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(countUpTo, this.#tenantId, '', limit))!.count)
  }

  markUnproven(userId: string): Promise<void> {
    return this.#executor.write(async (sql) => {
      const row = await sql.row(lockChanged, this.#tenantId, userId)
      if (row === null) return
      const fields = Object.keys(profiles.read(row).values)
      await sql.run(markUnproven, this.#tenantId, userId, JSON.stringify(fields))
    })
  }

  async count(step: number): Promise<number> {
    let counted = 0
    let page: { id: string }[] = []
    do {
      const after = page.at(-1)?.id ?? ''
      page = await this.#executor.read(async (sql) => sql.rows(idsAfter, this.#tenantId, after, step))
      counted += page.length
    } while (page.length === step)
    return counted
  }

  countByVersion(): Promise<ReadonlyMap<string, number>> {
    if (this.#executor.hasRowIds) return this.#countInPages()
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(countByVersion, this.#tenantId)
      return new Map(rows.map(({ version, count }) => [version, count]))
    })
  }

  async #countInPages(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>()
    for (let version = ''; ; ) {
      const after = version
      const next = await this.#executor.read(async (sql) => sql.row(nextVersion, this.#tenantId, after))
      if (!next?.version) return counts
      version = next.version
      const count = await this.#countOf(version)
      if (count > 0) counts.set(version, count)
    }
  }

  async #countOf(version: string): Promise<number> {
    let counted = 0
    for (let last: number | null = 0; last !== null; ) {
      const after: number = last
      const page = await this.#executor.read(async (sql) => sql.row(countNext, this.#tenantId, version, after))
      counted += page!.count
      last = page!.count === countedAtOnce ? page!.last : null
    }
    return counted
  }

  async remove(userId: string): Promise<void> {
    await this.#executor.effect(remove, this.#tenantId, userId)
  }
}

function toProfile(row: Parameters<typeof stored.read>[0]): StoredProfile {
  const { fields, indexedOrdinal, ...profile } = stored.read(row)
  return {
    ...profile,
    ...(fields !== null && { unprovenFields: fields }),
    ...(indexedOrdinal !== null && { indexedOrdinal }),
  }
}
