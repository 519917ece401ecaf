import type { ProfileStore, StoredProfile } from '../../profiles/profile-store.ts'
import { columnsOf, json, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const profiles = columnsOf<Required<Omit<StoredProfile, 'content' | 'unprovenFields'>>>('profiles', {
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
const stored = profiles.and(unproven)

const find = statement(
  'profile.find',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND user_id = $2`,
  stored,
)
const add = statement('profile.add', `${profiles.tenantInsert} ON CONFLICT DO NOTHING`)
/** The id is compared because a profile that was deleted and created again starts at the first revision. */
const replace = statement(
  'profile.replace',
  `UPDATE profiles SET schema_version = $4, content = $5, updated_at = $6, unproven_fields = $8, revision = revision + 1
   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revision = $7`,
)
const list = statement(
  'profile.list',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  stored,
)
const listOutdated = statement(
  'profile.listOutdated',
  `SELECT ${stored.columns} FROM profiles WHERE tenant_id = $1 AND id > $2 AND schema_version <> $4 ORDER BY id LIMIT $3`,
  stored,
)
const markUnproven = statement(
  'profile.markUnproven',
  'UPDATE profiles SET unproven_fields = $3, revision = revision + 1 WHERE tenant_id = $1 AND user_id = $2',
)
const idsAfter = statement<{ id: string }>(
  'profile.idsAfter',
  'SELECT id FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3',
)
const countByVersion = statement<{ version: string; count: number }>(
  'profile.countByVersion',
  'SELECT schema_version AS version, COUNT(*) AS count FROM profiles WHERE tenant_id = $1 GROUP BY schema_version',
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

  async save(profile: StoredProfile, previous: StoredProfile | null): Promise<boolean> {
    const tenantId = this.#tenantId
    if (previous === null) {
      const values = profiles.values({ ...profile, revision: 1 })
      return (await this.#executor.effect(add, tenantId, ...values)).changes === 1
    }
    const { userId, schemaVersion, updatedAt } = profile
    const content = profile.content ?? JSON.stringify(profile.values)
    const { revision } = previous
    if (revision === undefined) throw new TypeError('The previous profile must be one that storage returned')
    const unproven = profile.unprovenFields?.length ? JSON.stringify(profile.unprovenFields) : null
    const values = [userId, previous.id, schemaVersion, content, updatedAt, revision, unproven] as const
    return (await this.#executor.effect(replace, tenantId, ...values)).changes === 1
  }

  list(page: { limit: number; cursor: string | null; notVersion?: string }): Promise<StoredProfile[]> {
    const { limit, cursor, notVersion } = page
    return this.#executor.read(async (sql) => {
      const rows =
        notVersion === undefined
          ? await sql.rows(list, this.#tenantId, cursor ?? '', limit)
          : await sql.rows(listOutdated, this.#tenantId, cursor ?? '', limit, notVersion)
      return rows.map(toProfile)
    })
  }

  markUnproven(userId: string): Promise<void> {
    return this.#executor.write(async (sql) => {
      const row = await sql.row(find, this.#tenantId, userId)
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
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(countByVersion, this.#tenantId)
      return new Map(rows.map(({ version, count }) => [version, count]))
    })
  }

  async remove(userId: string): Promise<void> {
    await this.#executor.effect(remove, this.#tenantId, userId)
  }
}

function toProfile(row: Parameters<typeof stored.read>[0]): StoredProfile {
  const profile = profiles.read(row)
  const { fields } = unproven.read(row, profiles.width)
  return fields === null ? profile : { ...profile, unprovenFields: fields }
}
