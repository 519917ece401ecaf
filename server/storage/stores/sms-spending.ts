import type { SmsSpending } from '../../delivery/sms-spending.ts'
import type { Executor } from '../database.ts'
import { firstRows } from '../first-rows.ts'
import { statement, systemStatement } from '../statement.ts'

/** $3 is the budget: the count is created or increased only within it. */
const spend = statement(
  'smsSpending.spend',
  `INSERT INTO sms_spending (tenant_id, day, sent) SELECT $1, $2, 1 FROM tenants WHERE id = $1 AND $3 > 0
   ON CONFLICT (tenant_id, day) DO UPDATE SET sent = sms_spending.sent + 1 WHERE sms_spending.sent < $3`,
)
const giveBack = statement(
  'smsSpending.giveBack',
  'UPDATE sms_spending SET sent = sent - 1 WHERE tenant_id = $1 AND day = $2 AND sent > 0',
)

/** Reads the whole table, which has a few rows for each tenant. */
export const purgeSmsSpending = systemStatement(
  'purge.sms_spending',
  `DELETE FROM sms_spending
   WHERE (tenant_id, day) IN (${firstRows('SELECT tenant_id, day FROM sms_spending WHERE day < $1', '$2')})`,
)

/** One tenant's SMS counts in any SQL database. */
export class SqlSmsSpending implements SmsSpending {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async spend(day: string, budget: number): Promise<boolean> {
    return (await this.#executor.effect(spend, this.#tenantId, day, budget)).changes === 1
  }

  async giveBack(day: string): Promise<void> {
    await this.#executor.effect(giveBack, this.#tenantId, day)
  }
}
