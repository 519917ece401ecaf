import type { OperatorSession, OperatorSessionStore } from '../../operators/operator-session.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const operatorSessions = columnsOf<OperatorSession>('operator_sessions', {
  id: text('id'),
  operatorId: text('operator_id'),
  rootHash: text('root_hash'),
  createdAt: number('created_at'),
  lastUsedAt: number('last_used_at'),
  endsAt: number('ends_at'),
  network: text('network'),
  userAgent: text('user_agent'),
})

const add = systemStatement('operatorSession.add', operatorSessions.insert)
const find = systemStatement(
  'operatorSession.find',
  `SELECT ${operatorSessions.columns} FROM operator_sessions WHERE id = $1`,
  operatorSessions,
)
const touch = systemStatement(
  'operatorSession.touch',
  'UPDATE operator_sessions SET last_used_at = $2 WHERE id = $1 AND last_used_at <= $3',
)
const end = systemStatement('operatorSession.end', 'DELETE FROM operator_sessions WHERE id = $1')
const endAllOf = systemStatement('operatorSession.endAllOf', 'DELETE FROM operator_sessions WHERE operator_id = $1')

/** The deployment's console sessions in any SQL database. */
export class SqlOperatorSessionStore implements OperatorSessionStore {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  async add(session: OperatorSession): Promise<void> {
    await this.#executor.effect(add, ...operatorSessions.values(session))
  }

  find(id: string): Promise<OperatorSession | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, id)
      return row && operatorSessions.read(row)
    })
  }

  async touch(id: string, now: number, since: number): Promise<void> {
    await this.#executor.effect(touch, id, now, since)
  }

  async end(id: string): Promise<void> {
    await this.#executor.effect(end, id)
  }

  async endAllOf(operatorId: string): Promise<void> {
    await this.#executor.effect(endAllOf, operatorId)
  }
}
