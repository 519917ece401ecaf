import type { ProfileStore, StoredProfile } from '../../profiles/profile-store.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

interface ProfileRow {
  id: string
  user_id: string
  schema_version: string
  content: string
  revision: number
  created_at: number
  updated_at: number
  unproven_fields: string | null
}

const added = 'id, user_id, schema_version, content, revision, created_at, updated_at'
const columns = `${added}, unproven_fields`

const find = statement<ProfileRow>(
  'profile.find',
  `SELECT ${columns} FROM profiles WHERE tenant_id = $1 AND user_id = $2`,
)
const add = statement(
  'profile.add',
  `INSERT INTO profiles (tenant_id, ${added}) VALUES ($1, $2, $3, $4, $5, 1, $6, $7) ON CONFLICT DO NOTHING`,
)
/** The id too: a profile removed and made anew starts at the first revision again. */
const replace = statement(
  'profile.replace',
  `UPDATE profiles SET schema_version = $4, content = $5, updated_at = $6, unproven_fields = $8, revision = revision + 1
   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revision = $7`,
)
const list = statement<ProfileRow>(
  'profile.list',
  `SELECT ${columns} FROM profiles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
)
const listOutdated = statement<ProfileRow>(
  'profile.listOutdated',
  `SELECT ${columns} FROM profiles WHERE tenant_id = $1 AND id > $2 AND schema_version <> $4 ORDER BY id LIMIT $3`,
)
const markUnproven = statement(
  'profile.markUnproven',
  'UPDATE profiles SET unproven_fields = $3, revision = revision + 1 WHERE tenant_id = $1 AND user_id = $2',
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
    const { id, userId, schemaVersion, createdAt, updatedAt } = profile
    const content = profile.content ?? JSON.stringify(profile.values)
    const tenantId = this.#tenantId
    if (previous === null) {
      const values = [id, userId, schemaVersion, content, createdAt, updatedAt] as const
      return (await this.#executor.effect(add, tenantId, ...values)).changes === 1
    }
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
      await sql.run(markUnproven, this.#tenantId, userId, JSON.stringify(Object.keys(JSON.parse(row.content))))
    })
  }

  async remove(userId: string): Promise<void> {
    await this.#executor.effect(remove, this.#tenantId, userId)
  }
}

const toProfile = (row: ProfileRow): StoredProfile => ({
  id: row.id,
  userId: row.user_id,
  schemaVersion: row.schema_version,
  values: JSON.parse(row.content),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
  ...(row.unproven_fields !== null && { unprovenFields: JSON.parse(row.unproven_fields) }),
})
