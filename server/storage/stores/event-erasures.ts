import type { ErasedUser, ErasedUserDirectory, EventErasureStore, EventRole } from '../../events/erasure.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { aboutAnother } from '../schema-steps.ts'
import { statement, systemStatement } from '../statement.ts'
import { queueStatements } from './event-queue-statements.ts'

/** Events per transaction, so that erasing a user with many does not block other writers for long. */
const batch = 500

const erasures = columnsOf<ErasedUser>('event_erasures', {
  tenantId: text('tenant_id'),
  userId: text('user_id'),
  erasedAt: number('erased_at'),
})

const add = statement('eventErasure.add', `${erasures.insert} ON CONFLICT (tenant_id, user_id) DO NOTHING`)
const find = statement<{ user_id: string }>(
  'eventErasure.find',
  'SELECT user_id FROM event_erasures WHERE tenant_id = $1 AND user_id = $2',
)
const remove = statement('eventErasure.remove', 'DELETE FROM event_erasures WHERE tenant_id = $1 AND user_id = $2')
const list = systemStatement(
  'eventErasure.list',
  `SELECT ${erasures.columns} FROM event_erasures
   WHERE erased_at < $1 AND (erased_at, tenant_id, user_id) > ($2, $3, $4)
   ORDER BY erased_at, tenant_id, user_id LIMIT $5`,
  erasures,
)
/**
 * An import may give a user the id of a tenant, a key or an operator, so the kind is compared, too. Batches count events of
 * any kind, because the index has no kind.
 */
const inRole = (role: EventRole, condition = '') => {
  const withId = `tenant_id = $1 AND ${role}_id = $2${condition}`
  const erase = `UPDATE events SET personal = NULL WHERE ${withId} AND ${role}_kind = 'user' AND personal IS NOT NULL`
  return {
    eraseNewest: statement(
      `eventErasure.eraseNewestBy_${role}`,
      `${erase}
         AND id > COALESCE((SELECT id FROM events WHERE ${withId} ORDER BY id DESC LIMIT 1 OFFSET ${batch}), '')`,
    ),
    lastOfNext: statement<{ id: string | null }>(
      `eventErasure.lastOfNextBy_${role}`,
      `SELECT MAX(id) AS id FROM
         (SELECT id FROM events WHERE ${withId} AND id > $3 ORDER BY id LIMIT ${batch}) next_events`,
    ),
    eraseNext: statement(`eventErasure.eraseNextBy_${role}`, `${erase} AND id > $3 AND id <= $4`),
  }
}
/** Events of a user about the user are erased as those about the user. */
const statements = { subject: inRole('subject'), actor: inRole('actor', ` AND ${aboutAnother}`) }

/** The erasures of one tenant in any SQL database. */
export class SqlEventErasureStore implements EventErasureStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  start(userId: string, now: number): Promise<void> {
    return this.#executor.write(async (sql) => {
      // Comes first: an event that is sealed meanwhile is found among the sealed ones.
      const { newest, eraseQueued, start } = queueStatements(sql)
      const last = await sql.row(newest)
      await Promise.all([
        sql.run(eraseQueued, this.#tenantId, userId, last?.place ?? start),
        sql.run(statements.subject.eraseNewest, this.#tenantId, userId),
        sql.run(statements.actor.eraseNewest, this.#tenantId, userId),
        sql.run(add, this.#tenantId, userId, now),
      ])
    })
  }

  eraseNext(userId: string, role: EventRole, after: string): Promise<string | null> {
    const { lastOfNext, eraseNext } = statements[role]
    return this.#executor.write(async (sql) => {
      const last = (await sql.row(lastOfNext, this.#tenantId, userId, after))?.id ?? null
      if (last !== null) await sql.run(eraseNext, this.#tenantId, userId, after, last)
      return last
    })
  }

  isUnfinished(userId: string): Promise<boolean> {
    return this.#executor.read(async (sql) => (await sql.row(find, this.#tenantId, userId)) !== null)
  }

  async finish(userId: string): Promise<void> {
    await this.#executor.effect(remove, this.#tenantId, userId)
  }
}

/** The erased users of all tenants in any SQL database. */
export class SqlErasedUserDirectory implements ErasedUserDirectory {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  list(before: number, { limit, after }: { limit: number; after: ErasedUser | null }): Promise<ErasedUser[]> {
    const { erasedAt, tenantId, userId } = after ?? { erasedAt: 0, tenantId: '', userId: '' }
    return this.#executor.read(async (sql) =>
      erasures.readAll(await sql.rows(list, before, erasedAt, tenantId, userId, limit)),
    )
  }

  oldestQueuedAt(tenantId: string | null): Promise<number | null> {
    const { oldestAt, oldestOfLog } = queueStatements(this.#executor)
    return this.#executor.read(async (sql) => {
      const oldest = tenantId === null ? await sql.row(oldestAt) : await sql.row(oldestOfLog, tenantId, 1)
      return oldest?.at ?? null
    })
  }
}
