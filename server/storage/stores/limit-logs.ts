import type { LimitLogStore, StoredLog } from '../../limits/limit-log.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { firstRows } from '../first-rows.ts'
import { systemStatement } from '../statement.ts'

const logs = columnsOf<StoredLog>('limit_logs', { revision: text('revision'), times: text('times') })
const keyed = logs.and(
  columnsOf<{ readonly id: string; readonly expiresAt: number }>('limit_logs', {
    id: text('id'),
    expiresAt: number('expires_at'),
  }),
)

const find = systemStatement('limitLog.find', `SELECT ${logs.columns} FROM limit_logs WHERE id = $1`, logs)

/** $5 is the revision read last. If another write came first, the row stays unchanged and is returned. */
const exchange = systemStatement(
  'limitLog.exchange',
  `${keyed.insert}
   ON CONFLICT (id) DO UPDATE SET
     revision = CASE WHEN limit_logs.revision = $5 THEN excluded.revision ELSE limit_logs.revision END,
     times = CASE WHEN limit_logs.revision = $5 THEN excluded.times ELSE limit_logs.times END,
     expires_at = CASE WHEN limit_logs.revision = $5 THEN excluded.expires_at ELSE limit_logs.expires_at END
   RETURNING ${logs.columns}`,
  logs,
)

/** Compares the expiry again when deleting, because a concurrent write may have renewed the log. */
export const purgeLimitLogs = systemStatement(
  'limitLog.purge',
  `DELETE FROM limit_logs
   WHERE id IN (${firstRows('SELECT id FROM limit_logs WHERE expires_at < $1 ORDER BY expires_at', '$2')})
     AND expires_at < $1`,
)

/** Expiries are rounded up, so that the indexed column rarely changes and PostgreSQL need not update the index. */
const expiryStepMs = 600_000

const noLog: StoredLog = { revision: '', times: '' }

/** Sliding logs of limits in any SQL database. */
export class SqlLimitLogStore implements LimitLogStore {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  find(key: string): Promise<StoredLog> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, key)
      return row ? logs.read(row) : noLog
    })
  }

  async exchange(key: string, log: StoredLog, expiresAt: number, seen: string): Promise<StoredLog> {
    const end = Math.ceil(expiresAt / expiryStepMs) * expiryStepMs
    const values = keyed.values({ ...log, id: key, expiresAt: end })
    const [row] = (await this.#executor.effect(exchange, ...values, seen)).rows
    return row ? logs.read(row) : noLog
  }
}
