import type {
  Acts,
  CountedSessions,
  CountedUsers,
  HalfHour,
  TenantCountStore,
  Totals,
} from '../../statistics/tenant-counts.ts'
import { columnsOf, number } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { type Statement, statement } from '../statement.ts'

const ats = columnsOf<Pick<HalfHour, 'at'>>('tenant_counts', { at: number('at') })
export const acts = columnsOf<Acts>('tenant_counts', {
  signUps: number('sign_ups'),
  signIns: number('sign_ins'),
  codes: number('codes'),
  resets: number('resets'),
  messagesSent: number('messages_sent'),
  messagesFailed: number('messages_failed'),
})
export const halfHours = ats.and(acts)
export const totals = columnsOf<Totals>('tenant_totals', {
  users: number('users'),
  guests: number('guests'),
  suspended: number('suspended'),
  openSessions: number('open_sessions'),
})
/** `countedAt` is 0 until the rows have been counted. */
export const recounts = columnsOf<{ readonly countedAt: number; readonly recountAt: number }>('tenant_totals', {
  countedAt: number('counted_at'),
  recountAt: number('recount_at'),
})

const since = statement(
  'count.since',
  `SELECT ${halfHours.columns} FROM tenant_counts WHERE tenant_id = $1 AND at >= $2 ORDER BY at`,
  halfHours,
)
const current = statement(
  'count.totals',
  `SELECT ${totals.columns} FROM tenant_totals WHERE tenant_id = $1 AND counted_at > 0`,
  totals,
)
/** The last of the next $3 + 1 rows after an id. */
const lastOf = (table: string): Statement<{ id: string }> =>
  statement(
    `count.last_${table}`,
    `SELECT id FROM ${table} WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3`,
  )
const lastUser = lastOf('users')
const lastSession = lastOf('sessions')
const slice = 'tenant_id = $1 AND id > $2 AND id <= $3'
const usersIn = statement<{ users: number; guests: number }>(
  'count.users',
  `SELECT COUNT(*) AS users, CAST(COALESCE(SUM(guest), 0) AS BIGINT) AS guests FROM users WHERE ${slice}`,
)
const suspensionsIn = statement<{ suspension: string }>(
  'count.suspensions',
  `SELECT suspension FROM users WHERE ${slice} AND suspension IS NOT NULL`,
)
/** A session outlives a deleted user. */
const openSessionsIn = statement<{ open: number; expires_at: number | null }>(
  'count.openSessions',
  `SELECT COUNT(*) AS open,
     MIN(CASE WHEN s.idle_expires_at < s.expires_at THEN s.idle_expires_at ELSE s.expires_at END) AS expires_at FROM sessions s JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id
   WHERE s.tenant_id = $1 AND s.id > $2 AND s.id <= $3
     AND s.revoked_at IS NULL AND s.expires_at > $4 AND s.idle_expires_at > $4`,
)

/** Sorts after every id, because ids consist of letters and digits. */
const behind = '~'

/** The counts of one tenant, or of the deployment, in any SQL database. */
export class SqlTenantCountStore implements TenantCountStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  halfHoursSince(at: number): Promise<HalfHour[]> {
    return this.#executor.read(async (sql) => halfHours.readAll(await sql.rows(since, this.#tenantId, at)))
  }

  totals(): Promise<Totals | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(current, this.#tenantId)
      return row && totals.read(row)
    })
  }

  countUsers(after: string, limit: number): Promise<CountedUsers> {
    return this.#executor.read(async (sql) => {
      const last = await this.#last(sql, lastUser, after, limit)
      const until = [this.#tenantId, after, last ?? behind] as const
      const counted = await sql.row(usersIn, ...until)
      const suspended = await sql.rows(suspensionsIn, ...until)
      return { ...counted!, suspensions: suspended.map(({ suspension }) => JSON.parse(suspension)), last }
    })
  }

  countSessions(after: string, limit: number, now: number): Promise<CountedSessions> {
    return this.#executor.read(async (sql) => {
      const last = await this.#last(sql, lastSession, after, limit)
      const counted = await sql.row(openSessionsIn, this.#tenantId, after, last ?? behind, now)
      return { openSessions: counted!.open, expiresAt: counted!.expires_at, last }
    })
  }

  async #last(sql: Sql, statement: typeof lastUser, after: string, limit: number): Promise<string | null> {
    return (await sql.row(statement, this.#tenantId, after, limit - 1))?.id ?? null
  }
}
