import type { Sql } from '../database.ts'
import { type Statement, statement, systemStatement } from '../statement.ts'
import type { PurgedRows } from '../storage.ts'

/** Tables of tenants' rows with the rest of their primary key; what the system works on goes first. */
const tenantTables = {
  tenant_keys: 'id',
  outbox: 'id',
  inbox: 'id',
  sms_spending: 'day',
  otps: 'id',
  sessions: 'id',
  identities: 'id',
  used_id_tokens: 'token_hash',
  profiles: 'id',
  users: 'id',
  // Written by earlier versions alone: docs/decisions/0029-preflights.md.
  tenant_origins: 'origin',
  profile_schemas: 'version',
} as const

export const nextDeleted = systemStatement<{ id: string }>(
  'erase.nextTenant',
  'SELECT id FROM tenants WHERE deleted_at <= $1 ORDER BY deleted_at, id LIMIT $2',
)
const findDeleted = statement<{ id: string }>(
  'erase.deletedTenant',
  'SELECT id FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL',
)
const eraseRows: readonly Statement[] = Object.entries(tenantTables).map(([table, key]) =>
  statement(
    `erase.${table}`,
    `DELETE FROM ${table} WHERE tenant_id = $1
       AND ${key} IN (SELECT ${key} FROM ${table} WHERE tenant_id = $1 LIMIT $2)`,
  ),
)
const eraseTenant = statement('erase.tenants', 'DELETE FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL')

/** Erases up to `batch` rows of a deleted tenant, its own row last; true when there is more to do. */
export async function eraseTenantRows(sql: Sql, tenantId: string, batch: number): Promise<boolean> {
  if ((await sql.row(findDeleted, tenantId)) === null) return false
  let left = batch
  for (const erase of eraseRows) {
    if (left > 0) left -= await sql.run(erase, tenantId, left)
  }
  if (left <= 0) return true
  await sql.run(eraseTenant, tenantId)
  return false
}

const purgeOld = (table: string, time: string, id = 'id'): Statement =>
  systemStatement(
    `purge.${table}`,
    `DELETE FROM ${table}
     WHERE (tenant_id, ${id}) IN (SELECT tenant_id, ${id} FROM ${table} WHERE ${time} < $1 ORDER BY ${time} LIMIT $2)`,
  )
/**
 * Every OTP sent is a row of the outbox, so it has no index by time. Its ids sort by when they were made (ULID): the
 * first thousand are looked at, and those go whose time has ended. None of them lives for more than days, so none
 * keeps later ones from their turn. The inbox, in the order of its places, likewise.
 */
const purgeOutbox = systemStatement(
  'purge.outbox',
  `DELETE FROM outbox WHERE (id, tenant_id) IN (
     SELECT id, tenant_id FROM (SELECT id, tenant_id, expires_at FROM outbox ORDER BY id LIMIT 1000) oldest
     WHERE expires_at < $1 LIMIT $2)`,
)
const purgeInbox = systemStatement(
  'purge.inbox',
  `DELETE FROM inbox WHERE place IN (
     SELECT place FROM (SELECT place, created_at FROM inbox ORDER BY place LIMIT 1000) oldest
     WHERE created_at < $1 LIMIT $2)`,
)
const purges: Readonly<Record<PurgedRows, Statement>> = {
  otps: purgeOld('otps', 'expires_at'),
  messages: purgeOutbox,
  inbox: purgeInbox,
  sessions: purgeOld('sessions', 'expires_at'),
  usedIdTokens: purgeOld('used_id_tokens', 'expires_at', 'token_hash'),
}

/** Erases up to `batch` rows of one kind whose time ended before `before`; true when there is more to do. */
export const purgeOldRows = async (sql: Sql, kind: PurgedRows, before: number, batch: number): Promise<boolean> =>
  (await sql.run(purges[kind], before, batch)) >= batch
