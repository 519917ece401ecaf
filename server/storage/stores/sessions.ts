import type {
  Device,
  ExportedSession,
  ListedSession,
  RefreshableOfUser,
  RefreshableSession,
  Rotation,
  Session,
  SessionStore,
} from '../../accounts/sessions/session.ts'
import type { User } from '../../accounts/user.ts'
import { columnsOf, json, number, type Row, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { parseList } from './json-columns.ts'
import { users } from './user-columns.ts'

export const sessions = columnsOf<Session>('sessions', {
  id: text('id'),
  userId: text('user_id'),
  createdAt: number('created_at'),
  lastUsedAt: number('last_used_at'),
  idleExpiresAt: number('idle_expires_at'),
  expiresAt: number('expires_at'),
  revokedAt: number('revoked_at'),
})
const devices = columnsOf<Device>('sessions', { userAgent: text('user_agent'), network: text('address') })
const secrets = columnsOf<Pick<RefreshableSession, 'refreshHash' | 'amr'>>('sessions', {
  refreshHash: text('refresh_hash'),
  amr: json('amr', parseList<string>),
})
const lastRotation = columnsOf<Pick<RefreshableSession, 'previousRefreshHash' | 'rotatedAt'>>('sessions', {
  previousRefreshHash: text('previous_refresh_hash'),
  rotatedAt: number('rotated_at'),
})
const listed = sessions.and(devices)
const exported = listed.and(secrets.pick('amr'))
const refreshable = sessions.and(secrets).and(lastRotation)

const terms = sessions.pick('id', 'idleExpiresAt', 'expiresAt')

/** At $3. */
const live = 'revoked_at IS NULL AND expires_at > $3 AND idle_expires_at > $3'

const add = statement('session.add', sessions.and(secrets).and(devices).tenantInsert)
const find = statement(
  'session.find',
  `SELECT ${refreshable.columns} FROM sessions WHERE tenant_id = $1 AND id = $2`,
  refreshable,
)
const findWithUser = statement(
  'session.findWithUser',
  `SELECT ${refreshable.of('s')}, ${users.of('u')}
   FROM sessions s LEFT JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id
   WHERE s.tenant_id = $1 AND s.id = $2`,
  { read: toRefreshableOfUser },
)
const rotate = statement(
  'session.rotate',
  `UPDATE sessions SET refresh_hash = $5, previous_refresh_hash = $4, rotated_at = $3, last_used_at = $3,
     idle_expires_at = $6, user_agent = $7, address = $8
   WHERE tenant_id = $1 AND id = $2 AND ${live} AND refresh_hash = $4`,
)
/** A list has no pages, and scripts that sign in again and again leave thousands of sessions. */
export const mostListedSessions = 1_000
const listOf = statement(
  'session.listOf',
  `SELECT ${listed.columns} FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND ${live}
   ORDER BY last_used_at DESC, id DESC LIMIT ${mostListedSessions}`,
  listed,
)
const countOf = statement<{ count: number }>(
  'session.countOf',
  `SELECT COUNT(*) AS count FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND ${live}`,
)
const listAllOf = statement(
  'session.listAllOf',
  `SELECT ${exported.columns} FROM sessions WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, id`,
  exported,
)
/** Live, or ended after $3. */
const recent = '(revoked_at IS NULL OR revoked_at > $3) AND expires_at > $3 AND idle_expires_at > $3'
const knownNetwork = statement<{ id: string }>(
  'session.knownNetwork',
  `SELECT id FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND ${recent} AND address = $4 LIMIT 1`,
)
const knownNetworks = statement<{ address: string }>(
  'session.knownNetworks',
  `SELECT address FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND ${recent} AND address <> ''
   GROUP BY address ORDER BY MAX(last_used_at) DESC, address LIMIT 10`,
)
/** Locks the row and changes nothing. */
const lockLive = statement(
  'session.lockLive',
  `UPDATE sessions SET revoked_at = NULL WHERE tenant_id = $1 AND user_id = $2 AND ${live} AND id = $4`,
)
const revoke = statement(
  'session.revoke',
  `UPDATE sessions SET revoked_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ${live} AND id = $4`,
)
const revokeAllOf = statement(
  'session.revokeAllOf',
  `UPDATE sessions SET revoked_at = $3
   WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND ($4 = '' OR id <> $4)
   RETURNING ${terms.columns}`,
  terms,
)
const forgetDevices = statement(
  'session.forgetDevices',
  `UPDATE sessions SET user_agent = NULL, address = '' WHERE tenant_id = $1 AND user_id = $2`,
)

/** One tenant's sessions in any SQL database; `caller-record.ts` reads them too. */
export class SqlSessionStore implements SessionStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async add(session: Session, secret: { refreshHash: string; amr: readonly string[] }, device: Device): Promise<void> {
    const values = [...sessions.values(session), ...secrets.values(secret), ...devices.values(device)]
    await this.#executor.effect(add, this.#tenantId, ...values)
  }

  find(id: string): Promise<RefreshableSession | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && refreshable.read(row)
    })
  }

  findWithUser(id: string): Promise<RefreshableOfUser | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findWithUser, this.#tenantId, id)
      return row && toRefreshableOfUser(row)
    })
  }

  async rotate(id: string, { from, to, now, idleExpiresAt, device }: Rotation): Promise<boolean> {
    const values = [now, from, to, idleExpiresAt, device.userAgent, device.network] as const
    return (await this.#executor.effect(rotate, this.#tenantId, id, ...values)).changes === 1
  }

  listOf(userId: string, now: number): Promise<ListedSession[]> {
    return this.#executor.read(async (sql) => listed.readAll(await sql.rows(listOf, this.#tenantId, userId, now)))
  }

  countOf(userId: string, now: number): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(countOf, this.#tenantId, userId, now))!.count)
  }

  listAllOf(userId: string): Promise<ExportedSession[]> {
    return this.#executor.read(async (sql) => exported.readAll(await sql.rows(listAllOf, this.#tenantId, userId)))
  }

  isKnownNetwork(userId: string, network: string, since: number): Promise<boolean> {
    return this.#executor.read(
      async (sql) => (await sql.row(knownNetwork, this.#tenantId, userId, since, network)) !== null,
    )
  }

  async lockLive(userId: string, id: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(lockLive, this.#tenantId, userId, now, id)).changes === 1
  }

  knownNetworks(userId: string, since: number): Promise<string[]> {
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(knownNetworks, this.#tenantId, userId, since)
      return rows.map(({ address }) => address)
    })
  }

  async revoke(userId: string, id: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(revoke, this.#tenantId, userId, now, id)).changes === 1
  }

  async revokeAllOf(userId: string, now: number, but = ''): Promise<string[]> {
    const { rows } = await this.#executor.effect(revokeAllOf, this.#tenantId, userId, now, but)
    const wereLive = terms
      .readAll(rows)
      .filter(({ idleExpiresAt, expiresAt }) => now < idleExpiresAt && now < expiresAt)
    return wereLive.map(({ id }) => id)
  }

  async forgetDevices(userId: string): Promise<void> {
    await this.#executor.effect(forgetDevices, this.#tenantId, userId)
  }
}

/** The outer join yields nulls without a user. */
function toRefreshableOfUser(row: Row<RefreshableSession & User>): RefreshableOfUser {
  const userAt = refreshable.width
  return { session: refreshable.read(row), user: row[userAt] === null ? null : users.read(row, userAt) }
}
