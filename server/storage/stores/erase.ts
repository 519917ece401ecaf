import { deployment } from '../../core/deployment.ts'
import { utcDay } from '../../core/utc-day.ts'
import type { Parameter, Sql } from '../database.ts'
import { firstRows, mostRows } from '../first-rows.ts'
import { type Statement, statement, systemStatement } from '../statement.ts'
import type { PurgedRows } from '../storage.ts'
import { forgetAnswers } from './idempotency.ts'
import { purgeLimitLogs } from './limit-logs.ts'
import { purgeSmsSpending } from './sms-spending.ts'

/** The tables of tenants with the rest of their primary keys. Tables that background jobs use come first. */
const tenantTables = {
  tenant_keys: 'id',
  event_queue: 'id',
  events: 'sequence',
  event_batches: 'batch',
  event_heads: 'tenant_id',
  event_erasures: 'user_id',
  outbox: 'id',
  sms_spending: 'day',
  otps: 'id',
  sessions: 'id',
  identities: 'id',
  used_id_tokens: 'token_hash',
  profiles: 'id',
  profile_unique: '(field, value_hash)',
  profile_search: '(field, value, user_id)',
  users: 'id',
  // Only earlier versions wrote it: docs/decisions/0029-preflights.md.
  tenant_origins: 'origin',
  inbox: 'id',
  idempotency_keys: 'id',
  profile_schemas: 'version',
  tenant_counts: 'at',
  tenant_totals: 'tenant_id',
} as const

export const nextDeleted = systemStatement<{ id: string }>(
  'erase.nextTenant',
  'SELECT id FROM tenants WHERE deleted_at <= $1 ORDER BY deleted_at, id LIMIT $2',
)
const findDeleted = statement<{ id: string }>(
  'erase.deletedTenant',
  'SELECT id FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL',
)
/** In the order of an index, which skips what earlier batches deleted. On PostgreSQL, a table keeps that for a while. */
const eraseRows: readonly Statement[] = Object.entries(tenantTables).map(([table, key]) => {
  const columns = key.replace(/[()]/g, '')
  const rows = `SELECT ${columns} FROM ${table} WHERE tenant_id = $1 ORDER BY ${columns}`
  return statement(
    `erase.${table}`,
    `DELETE FROM ${table} WHERE tenant_id = $1 AND ${key} IN (${firstRows(rows, '$2')})`,
  )
})
const eraseTenant = statement('erase.tenants', 'DELETE FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL')

/**
 * Deletes up to `batch` rows of a deleted tenant, at most `mostRows`, from a table on. Its own row is deleted in a transaction
 * that went through all tables.
 * @returns the table to continue with; null when the tenant is erased, or is not deleted
 */
export async function eraseTenantRows(sql: Sql, tenantId: string, batch: number, from: number): Promise<number | null> {
  if ((await sql.row(findDeleted, tenantId)) === null) return null
  let left = Math.min(batch, mostRows)
  for (let table = from; table < eraseRows.length; table++) {
    left -= await sql.run(eraseRows[table]!, tenantId, left)
    if (left <= 0) return table
  }
  if (from > 0) return 0
  await sql.run(forgetAnswers, deployment, tenantId)
  await sql.run(eraseTenant, tenantId)
  return null
}

/** Compares the time again when deleting, because a concurrent write may have replaced an expired answer. */
const purgeOld = (table: string, time: string, id = 'id'): Statement =>
  systemStatement(
    `purge.${table}`,
    `DELETE FROM ${table}
     WHERE (tenant_id, ${id}) IN
       (${firstRows(`SELECT tenant_id, ${id} FROM ${table} WHERE ${time} < $1 ORDER BY ${time}`, '$2')})
       AND ${time} < $1`,
  )
/**
 * The outbox grows with every message, so it has no index by expiry. Its ids (ULIDs) sort by creation time: of the
 * first thousand, the expired ones are deleted. Messages live for days at most, so old ones cannot block later ones for
 * long.
 */
const purgeOutbox = systemStatement(
  'purge.outbox',
  `DELETE FROM outbox WHERE (id, tenant_id) IN (
     SELECT id, tenant_id FROM (SELECT id, tenant_id, expires_at FROM outbox ORDER BY id LIMIT 1000) oldest
     WHERE expires_at < $1 LIMIT $2)`,
)
/** These rows belong to no tenant. */
const purgeOperatorSessions = systemStatement(
  'purge.operator_sessions',
  `DELETE FROM operator_sessions
   WHERE id IN (${firstRows('SELECT id FROM operator_sessions WHERE ends_at < $1 ORDER BY ends_at', '$2')})`,
)
const purges: Readonly<Record<PurgedRows, Statement>> = {
  otps: purgeOld('otps', 'expires_at'),
  messages: purgeOutbox,
  sessions: purgeOld('sessions', 'expires_at'),
  usedIdTokens: purgeOld('used_id_tokens', 'expires_at', 'token_hash'),
  idempotencyKeys: purgeOld('idempotency_keys', 'expires_at'),
  operatorSessions: purgeOperatorSessions,
  counts: purgeOld('tenant_counts', 'at', 'at'),
  limitLogs: purgeLimitLogs,
  smsSpending: purgeSmsSpending,
}

/** The column of `sms_spending` is a UTC date. */
const limitOf = (kind: PurgedRows, before: number): Parameter => (kind === 'smsSpending' ? utcDay(before) : before)

/** Deletes up to `batch` rows of one kind that expired before `before`; true when there may be more. */
export const purgeOldRows = async (sql: Sql, kind: PurgedRows, before: number, batch: number): Promise<boolean> =>
  (await sql.run(purges[kind], limitOf(kind, before), batch)) >= batch
