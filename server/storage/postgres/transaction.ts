import type pg from 'pg'
import { Attempt } from '../attempt.ts'
import type { Effect, Parameter } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import type { PostgresConnection } from './connection.ts'
import { failureOf, OutcomeUnknown } from './postgres-error.ts'

/** Whose rows a transaction reaches: one tenant's, or, for the system's own statements, everybody's. */
export type Reach = { readonly tenantId: string } | 'system'

/**
 * From here to its end the transaction is of a role that row-level security holds to one tenant (threats F06, F07): the
 * settings are the transaction's own and end with it.
 */
const enterTenant = systemStatement(
  'postgres.enterTenant',
  "SELECT set_config('role', 'tenantry_tenant', true), set_config('tenantry.tenant_id', $1, true)",
)

/** How a transaction is framed. */
export interface Frame {
  readonly reach: Reach
  readonly readOnly: boolean
  /** Whether the database holds tenants apart too. */
  readonly rowLevelSecurity: boolean
}

/** One transaction on one connection. Its beginning travels with its first statement. */
export class PostgresTransaction extends Attempt {
  readonly #connection: PostgresConnection
  readonly #frame: Frame
  #begun = false

  constructor(connection: PostgresConnection, frame: Frame) {
    super()
    this.#connection = connection
    this.#frame = frame
  }

  async rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return (await this.#send(statement, parameters)).rows as Row[]
  }

  async row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row | null> {
    return ((await this.#send(statement, parameters)).rows[0] as Row | undefined) ?? null
  }

  async run(statement: Statement, ...parameters: Parameter[]): Promise<number> {
    return (await this.#send(statement, parameters)).rowCount ?? 0
  }

  async effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    return toEffect(await this.#send(statement, parameters))
  }

  /** Resolves when it is durable. After a failed statement the server answers a COMMIT with ROLLBACK. */
  async commit(): Promise<void> {
    if (this.#begun) await commit(this.#connection)
  }

  /** Ends it without a trace, if it was begun. */
  async rollback(): Promise<void> {
    if (this.#begun && !this.#connection.broken) await this.#connection.execute('ROLLBACK').catch(() => {})
  }

  async #send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<pg.QueryResult> {
    this.requireOpen()
    const beginning = this.#begun ? [] : this.#begin()
    const answer = this.#connection.send(statement, parameters)
    try {
      // The first to fail says why; those behind it only say that the transaction is aborted.
      const answers = await Promise.all([...beginning, answer])
      return answers.at(-1)!
    } catch (error) {
      throw this.doom(error)
    }
  }

  #begin(): Promise<pg.QueryResult>[] {
    this.#begun = true
    return beginningOf(this.#connection, this.#frame)
  }
}

/**
 * Sends COMMIT, and resolves when it is durable. After a failed statement the server answers it with ROLLBACK. Where it
 * stops waiting for its standby, because an operator cancelled that, it answers COMMIT and warns: a failover would lose
 * what was written.
 * @throws OutcomeUnknown when the connection was lost before the answer, or the server warned
 */
export async function commit(connection: PostgresConnection): Promise<void> {
  const { command } = await connection.commit().catch((error) => {
    throw failureOf(error) === 'connection' ? new OutcomeUnknown(error) : error
  })
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`)
  if (connection.takeWarning()) throw new OutcomeUnknown(new Error('The server warned while committing'))
}

/** What an answer of the server came to. */
export const toEffect = <Row>({ rows, rowCount }: pg.QueryResult): Effect<Row> => ({ rows, changes: rowCount ?? 0 })

/** What opens a transaction, sent and not yet answered. */
export function beginningOf(connection: PostgresConnection, frame: Frame): Promise<pg.QueryResult>[] {
  const begin = connection.execute(frame.readOnly ? 'BEGIN READ ONLY' : 'BEGIN')
  if (!frame.rowLevelSecurity || frame.reach === 'system') return [begin]
  return [begin, connection.send(enterTenant, [frame.reach.tenantId])]
}
