import { earliestUlid } from '../../core/ids.ts'
import type { MessageCounts } from '../../delivery/message.ts'
import type { Sql } from '../database.ts'
import { unsent } from '../schema-steps.ts'
import { statement } from '../statement.ts'

/** Rows that are read at most for each count: on SQLite they take ten milliseconds. */
const mostRead = 20_000

/**
 * Reads the waiting messages of all tenants, because their index has no tenant, and few wait at any time. PostgreSQL lets
 * a tenant's statement read that tenant's rows only.
 */
const waiting = statement<{ state: 'queued' | 'sending'; messages: number; oldest: number }>(
  'message.countWaiting',
  `SELECT state, COUNT(*) AS messages, MIN(created_at) AS oldest
   FROM (SELECT state, created_at, CASE WHEN tenant_id = $1 THEN 1 END AS own
     FROM outbox WHERE due_at > 0 ORDER BY due_at LIMIT $2) AS due
   WHERE own = 1 GROUP BY state`,
)

/** $2 sorts before the ids of messages that are counted. Test messages never fail here: they are sent at once or not stored. */
const failed = statement<{ failed: number }>(
  'message.countFailed',
  `SELECT COUNT(*) AS failed
   FROM (SELECT state FROM outbox WHERE tenant_id = $1 AND id >= $2 AND ${unsent} ORDER BY id DESC LIMIT $3) AS latest
   WHERE state = 'failed'`,
)

export async function readCounts(sql: Sql, tenantId: string, since: number): Promise<MessageCounts> {
  const [rows, latest] = await Promise.all([
    sql.rows(waiting, tenantId, mostRead),
    sql.row(failed, tenantId, earliestUlid(since), mostRead),
  ])
  const count = (state: string) => rows.find((row) => row.state === state)?.messages ?? 0
  return {
    queued: count('queued'),
    sending: count('sending'),
    oldest: rows.length === 0 ? null : Math.min(...rows.map((row) => row.oldest)),
    failed24h: latest?.failed ?? 0,
  }
}
