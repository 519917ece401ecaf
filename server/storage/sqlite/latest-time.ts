import type { Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'

const latestTime = systemStatement<{ at: number | null }>(
  'sqlite.latestTime',
  `SELECT MAX(at) AS at FROM (
     SELECT MAX(last_used_at) AS at FROM tenant_keys
     UNION ALL SELECT * FROM (SELECT created_at FROM outbox ORDER BY id DESC LIMIT 1)
     UNION ALL SELECT * FROM (SELECT created_at FROM sessions ORDER BY expires_at DESC LIMIT 1)) AS latest`,
)

/**
 * About when the database was last written to, in epoch milliseconds; null when it is empty. The last use of a tenant key
 * is stored within a minute and at shutdown. The newest message and session, each the last of an index, are exact.
 */
export async function findLatestTime(sql: Sql): Promise<number | null> {
  return (await sql.row(latestTime))?.at ?? null
}
