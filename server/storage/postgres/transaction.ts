import { Attempt } from '../attempt.ts'
import type { Effect, Parameter, Sql } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { OutcomeUnknown } from '../storage-error.ts'
import type { Command, StatementCall } from './driver/commands.ts'
import type { PostgresConnection } from './driver/connection.ts'
import type { StatementResult } from './driver/pipelined-query.ts'
import { failureOf, isServerError } from './driver/postgres-error.ts'

/** Whose rows a statement reaches: one tenant's, or, for the system's own statements, everybody's. */
export type Reach = { readonly tenantId: string } | 'system'

/**
 * From here to its end the transaction is of a role that row-level security holds to one tenant (threats F06, F07): the
 * settings are the transaction's own and end with it.
 */
const enterTenant = systemStatement(
  'postgres.enterTenant',
  "SELECT set_config('role', 'tenantry_tenant', true), set_config('tenantry.tenant_id', $1, true)",
)

/** What stands before a transaction's first statement: nothing, or the entering of the tenant. */
export type TransactionPreamble = readonly StatementCall[]

/** @param rowLevelSecurity whether the database holds tenants apart too */
export const preambleFor = (reach: Reach, rowLevelSecurity: boolean): TransactionPreamble =>
  rowLevelSecurity && reach !== 'system' ? [[enterTenant, [reach.tenantId]]] : []

/** Reads on one connection; each statement, with its preamble, is a transaction and a round trip by itself. */
export class PostgresReads implements Sql {
  readonly #connection: PostgresConnection
  readonly #preamble: TransactionPreamble

  constructor(connection: PostgresConnection, preamble: TransactionPreamble) {
    this.#connection = connection
    this.#preamble = preamble
  }

  async rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return (await this.#send(statement, parameters)).rows
  }

  async row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row | null> {
    return (await this.#send(statement, parameters)).rows[0] ?? null
  }

  async run(statement: Statement): Promise<never> {
    throw new TypeError(`${statement.name} is run where only reading is meant`)
  }

  async #send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<StatementResult> {
    if (statement.returning) throw new TypeError(`${statement.name} writes where only reading is meant`)
    return (await this.#connection.send(...this.#preamble, [statement, parameters])).at(-1)!
  }
}

/** One transaction on one connection. Its beginning travels with its first statement. */
export class PostgresTransaction extends Attempt {
  readonly #connection: PostgresConnection
  readonly #preamble: TransactionPreamble
  #begun = false

  constructor(connection: PostgresConnection, preamble: TransactionPreamble) {
    super()
    this.#connection = connection
    this.#preamble = preamble
  }

  async rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return (await this.#send(statement, parameters)).rows
  }

  async row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Row | null> {
    return (await this.#send(statement, parameters)).rows[0] ?? null
  }

  async run(statement: Statement, ...parameters: Parameter[]): Promise<number> {
    return (await this.#send(statement, parameters)).changes
  }

  async effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    return this.#send(statement, parameters)
  }

  /** Resolves when it is durable. */
  async commit(): Promise<void> {
    if (!this.#begun) return
    const { answers, error } = await this.#connection.attempt('COMMIT')
    if (error !== undefined) {
      await this.#connection.rollBack()
      if (answers.length === 0) throw told(error, true)
    }
    requireCommitted(this.#connection, answers)
  }

  /** Ends it without a trace, if it was begun. */
  async rollback(): Promise<void> {
    if (this.#begun) await this.#connection.rollBack()
  }

  async #send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<StatementResult> {
    this.requireOpen()
    const beginning = this.#begun ? [] : (['BEGIN', ...this.#preamble] as const)
    try {
      // One that is refused before it is sent begins nothing, and dooms the transaction before a next one is taken.
      const outcome = this.#connection.attempt(...beginning, [statement, parameters])
      this.#begun = true
      const { answers, error } = await outcome
      if (error !== undefined) throw error
      return answers.at(-1)!
    } catch (error) {
      throw this.doom(error)
    }
  }
}

/**
 * A transaction of one statement: beginning, statement and COMMIT travel together.
 * @throws OutcomeUnknown when the connection was lost before the answer, or the server warned. What the server itself
 * refused before the COMMIT is certain.
 */
export async function effect<Row>(
  connection: PostgresConnection,
  preamble: TransactionPreamble,
  statement: Statement<Row>,
  parameters: readonly Parameter[],
): Promise<Effect<Row>> {
  const before: Command[] = ['BEGIN', ...preamble, [statement, parameters]]
  const { answers, error } = await connection.attempt(...before, 'COMMIT')
  if (error !== undefined) {
    await connection.rollBack()
    // A server that shuts down may answer the COMMIT and end the connection in one breath: that is committed.
    if (answers.length <= before.length) throw told(error, answers.length === before.length)
  }
  requireCommitted(connection, answers)
  return answers.at(-2)!
}

/**
 * What is told of a transaction that failed with its COMMIT on the way. It is certain that nothing was done only where the
 * server itself says so, and not while committing it goes away.
 */
const told = (error: Error, committing: boolean): Error =>
  isServerError(error) && !(committing && failureOf(error) === 'connection') ? error : new OutcomeUnknown(error)

/**
 * After a failed statement the server answers a COMMIT with ROLLBACK. Where it stops waiting for its standby, because an
 * operator cancelled that, it answers COMMIT and warns: a failover would lose what was written.
 */
function requireCommitted(connection: PostgresConnection, answers: readonly StatementResult[]): void {
  const { command } = answers.at(-1)!
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`)
  if (connection.warned) throw new OutcomeUnknown(new Error('The server warned while committing'))
}
