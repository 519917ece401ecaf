import type { EventHeadDirectory } from '../../events/anchor/anchor-heads.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const list = systemStatement<{ tenant_id: string; batch: number; sequence: number; hash: string }>(
  'eventHead.list',
  'SELECT tenant_id, batch, sequence, hash FROM event_heads WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2',
)

/** The heads of all logs in any SQL database. */
export class SqlEventHeadDirectory implements EventHeadDirectory {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  list(afterTenantId: string, limit: number): ReturnType<EventHeadDirectory['list']> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(list, afterTenantId, limit)).map(({ tenant_id: tenantId, ...head }) => ({ tenantId, ...head })),
    )
  }
}
