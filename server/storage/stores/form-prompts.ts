import type { FormPromptStore } from '../../accounts/sign-in/form-prompts.ts'
import { columnsOf, number } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const prompts = columnsOf<{ readonly promptedAt: number | null }>('users', { promptedAt: number('form_prompted_at') })

const one = 'tenant_id = $1 AND id = $2'
const latest = statement('formPrompt.latest', `SELECT ${prompts.columns} FROM users WHERE ${one}`, prompts)
const record = statement(
  'formPrompt.record',
  `UPDATE users SET form_prompted_at = $3 WHERE ${one} AND (form_prompted_at IS NULL OR form_prompted_at <= $4)`,
)

/** One tenant's form prompts in any SQL database: a column of the users. */
export class SqlFormPromptStore implements FormPromptStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  latestOf(userId: string): Promise<number | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(latest, this.#tenantId, userId)
      return row && prompts.read(row).promptedAt
    })
  }

  async record(userId: string, now: number, since: number): Promise<boolean> {
    return (await this.#executor.effect(record, this.#tenantId, userId, now, since)).changes === 1
  }
}
