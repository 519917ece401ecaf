import type { IdempotencyStore, KeyedAnswer } from '../../core/idempotency.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const answers = columnsOf<KeyedAnswer>('idempotency_keys', {
  id: text('id'),
  subjectId: text('subject_id'),
  sealed: text('sealed'),
  expiresAt: number('expires_at'),
})

/** None of a deleted tenant, whose rows are erased some minutes later. */
const find = statement<{ sealed: string }>(
  'idempotency.find',
  `SELECT sealed FROM idempotency_keys WHERE tenant_id = $1 AND id = $2 AND expires_at > $3
     AND NOT EXISTS (SELECT id FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL)`,
)
/** Replaces an expired answer. $6 is now. */
export const addAnswer = statement(
  'idempotency.add',
  `${answers.tenantInsert} ON CONFLICT (tenant_id, id) DO UPDATE SET subject_id = $3, sealed = $4, expires_at = $5
   WHERE idempotency_keys.expires_at <= $6`,
)
export const forgetAnswers = statement(
  'idempotency.forget',
  'DELETE FROM idempotency_keys WHERE tenant_id = $1 AND subject_id = $2',
)

/** The parameters of `addAnswer`. */
export const answerValues = (answer: KeyedAnswer, now: number) => [...answers.values(answer), now] as const

/** One tenant's answers to requests with an `Idempotency-Key`, in any SQL database. */
export class SqlIdempotencyStore implements IdempotencyStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  find(id: string, now: number): Promise<string | null> {
    return this.#executor.read(async (sql) => (await sql.row(find, this.#tenantId, id, now))?.sealed ?? null)
  }

  async add(answer: KeyedAnswer, now: number): Promise<boolean> {
    return (await this.#executor.effect(addAnswer, this.#tenantId, ...answerValues(answer, now))).changes === 1
  }

  async forget(subjectId: string): Promise<void> {
    await this.#executor.effect(forgetAnswers, this.#tenantId, subjectId)
  }
}
