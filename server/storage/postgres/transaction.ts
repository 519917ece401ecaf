import { Attempt } from '../attempt.ts'
import { checkParameters, type Effect, type Parameter, type Sql } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { OutcomeUnknown } from '../storage-error.ts'
import type { Command, StatementCall } from './driver/commands.ts'
import type { PostgresConnection } from './driver/connection.ts'
import type { PipelineOutcome, StatementResult } from './driver/pipelined-query.ts'
import { failureOf, isServerError } from './driver/postgres-error.ts'

/** Which rows a statement can reach: one tenant's, or those of all tenants for system statements. */
export type Reach = { readonly tenantId: string } | 'system'

/**
 * Switches the transaction to a role that row-level security limits to one tenant (threats F06, F07). Both settings are
 * local to the transaction and end with it.
 */
const enterTenant = systemStatement(
  'postgres.enterTenant',
  "SELECT set_config('role', 'tenantry_tenant', true), set_config('tenantry.tenant_id', $1, true)",
)

/** What is sent before a transaction's first statement: nothing, or the switch to the tenant's role. */
export type TransactionPreamble = readonly StatementCall[]

/** @param rowLevelSecurity whether the database enforces tenant isolation too */
export const preambleFor = (reach: Reach, rowLevelSecurity: boolean): TransactionPreamble =>
  rowLevelSecurity && reach !== 'system' ? [[enterTenant, [reach.tenantId]]] : []

/**
 * Reads on one connection. Each statement takes one round trip. Statements of the same tick with the same preamble share
 * a transaction.
 */
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
    throw writingRead(statement)
  }

  async #send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<StatementResult> {
    if (statement.returning) throw writingRead(statement)
    return this.#connection.read(this.#preamble, [statement, parameters])
  }
}

const writingRead = ({ name }: Statement): Error =>
  new TypeError(`${name} writes, but a read accepts read-only statements only; use write()`)

/** The server answers a pipeline as a whole, so its statements together must not take longer than the response timeout. */
const maxFirstStatements = 8

/**
 * The pipeline that begins a transaction: BEGIN, the preamble and the statements of the same tick. No other statement is
 * sent before its answer. If BEGIN failed, that statement would run as a separate transaction, and commit.
 */
class FirstPipeline {
  readonly outcome: Promise<PipelineOutcome>
  readonly #commands: Command[]
  #statements = 0
  #sent = false

  constructor(connection: PostgresConnection, preamble: TransactionPreamble) {
    this.#commands = ['BEGIN', ...preamble]
    const endOfTick = new Promise<void>((resolve) => process.nextTick(resolve))
    this.outcome = endOfTick.then(() => {
      this.#sent = true
      return connection.trySend(...this.#commands)
    })
  }

  get accepts(): boolean {
    return !this.#sent && this.#statements < maxFirstStatements
  }

  /** Sends calls with the others of this tick; resolves with the result of the last. */
  async add(calls: readonly StatementCall[]): Promise<StatementResult> {
    this.#statements += calls.length
    const index = this.#commands.push(...calls) - 1
    const { results, error } = await this.outcome
    const result = results[index]
    if (result === undefined) throw error
    return result
  }
}

/** One transaction on one connection. BEGIN and the preamble are sent with the first statements. */
export class PostgresTransaction extends Attempt {
  readonly nestsWrites: boolean
  readonly hasRowIds = false
  readonly #connection: PostgresConnection
  readonly #preamble: TransactionPreamble
  #first: FirstPipeline | null = null
  /** Statements that are sent with the next one. */
  #appended: StatementCall[] = []

  constructor(connection: PostgresConnection, preamble: TransactionPreamble, nestsWrites: boolean) {
    super()
    this.nestsWrites = nestsWrites
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

  override async append(statement: Statement, ...parameters: Parameter[]): Promise<void> {
    this.requireOpen()
    checkParameters(statement, parameters)
    this.#appended.push([statement, parameters])
  }

  /** Resolves once the transaction is durable. */
  async commit(): Promise<void> {
    await this.#first?.outcome
    if (this.#first !== null) await commitAfter(this.#connection, this.#appended)
    else if (this.#appended.length > 0)
      await commitAfter(this.#connection, ['BEGIN', ...this.#preamble, ...this.#appended])
  }

  /** Does nothing when no statement was sent. */
  async rollback(): Promise<void> {
    const isSent = await this.#first?.outcome.then(
      () => true,
      () => false,
    )
    if (isSent) await this.#connection.rollBack()
  }

  async #send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<StatementResult> {
    this.requireOpen()
    try {
      // Nothing is sent when this throws, and the transaction is doomed before the next statement.
      checkParameters(statement, parameters)
      return await this.#sendAll([...this.#appended.splice(0), [statement, parameters]])
    } catch (error) {
      throw this.doom(error)
    }
  }

  /** Resolves with the result of the last call. */
  async #sendAll(calls: readonly StatementCall[]): Promise<StatementResult> {
    this.#first ??= new FirstPipeline(this.#connection, this.#preamble)
    if (this.#first.accepts) return this.#first.add(calls)
    const { error } = await this.#first.outcome
    if (error !== undefined) throw error
    this.requireOpen()
    return (await this.#connection.send(...calls)).at(-1)!
  }
}

/**
 * Runs a transaction of one statement in one round trip: BEGIN, preamble, statement and COMMIT are one pipeline.
 * @throws OutcomeUnknown when the connection was lost before the COMMIT was answered, or the server warned. An error that
 * the server reported before the COMMIT is certain: nothing was done.
 */
export async function effect<Row>(
  connection: PostgresConnection,
  preamble: TransactionPreamble,
  statement: Statement<Row>,
  parameters: readonly Parameter[],
): Promise<Effect<Row>> {
  return (await commitAfter(connection, ['BEGIN', ...preamble, [statement, parameters]])).at(-2)!
}

/** Sends the rest of a transaction and its COMMIT in one pipeline. */
async function commitAfter(
  connection: PostgresConnection,
  before: readonly Command[],
): Promise<readonly StatementResult[]> {
  const wasLost = connection.broken
  const { results, error } = await sendOrRollBack(connection, [...before, 'COMMIT'])
  if (error !== undefined) {
    await connection.rollBack()
    // Nothing was sent.
    if (wasLost) throw error
    // A server that shuts down may answer the COMMIT and then close the connection: the transaction is committed.
    if (results.length <= before.length) throw commitError(error, results.length === before.length)
  }
  requireCommitted(connection, results)
  return results
}

/** What cannot be sent must not leave an open transaction, with the role of its tenant, to the next job. */
async function sendOrRollBack(connection: PostgresConnection, commands: readonly Command[]): Promise<PipelineOutcome> {
  try {
    return await connection.trySend(...commands)
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

/**
 * The error of a transaction that failed after its COMMIT was sent. Nothing was done only if the server says so, and was
 * neither shutting down nor failing to write its log while it committed: the record of a COMMIT whose sync failed may be
 * found again by the recovery.
 */
const commitError = (error: Error, committing: boolean): Error =>
  isServerError(error) && !(committing && ['connection', 'overload'].includes(failureOf(error)))
    ? error
    : new OutcomeUnknown(error)

/**
 * After a failed statement the server answers COMMIT with ROLLBACK. When an operator cancels the wait for a synchronous
 * standby, it answers COMMIT with a warning: a failover would lose the transaction.
 */
function requireCommitted(connection: PostgresConnection, results: readonly StatementResult[]): void {
  const { command } = results.at(-1)!
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command} because a statement had failed`)
  if (connection.warned) throw new OutcomeUnknown(new Error('the server committed with a warning'))
}
