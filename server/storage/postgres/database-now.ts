import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const now = systemStatement<{ now: number }>(
  'postgres.now',
  'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
)

/** The time of the database server in epoch milliseconds. */
export const databaseNow = (executor: Pick<Executor, 'read'>): Promise<number> =>
  executor.read(async (sql) => (await sql.row(now))!.now)
