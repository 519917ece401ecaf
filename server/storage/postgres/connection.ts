import { Socket } from 'node:net'
import pg from 'pg'
import { checkParameters, type Parameter } from '../database.ts'
import type { Statement } from '../statement.ts'
import { failureOf, NoAnswer, ReadOnlyServer } from './postgres-error.ts'
import type { PostgresHost, PostgresUrl } from './postgres-url.ts'

/** Where tests reach in: to count statements, to make them fail, to run others in their place. */
export interface PostgresHooks {
  /** Before a statement is sent; what it throws the statement throws. */
  readonly onStatement?: (name: string) => void
  /** Between a transaction's last statement and its COMMIT; what it throws the COMMIT throws. */
  readonly beforeCommit?: () => void
  /** The SQL to run in place of a statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

/** How a connection is made. */
export interface ConnectionOptions {
  readonly url: PostgresUrl
  readonly hooks: PostgresHooks
  /** A server that does not answer for so long, in milliseconds, is given up, and what it was asked fails. */
  readonly answerMs: number
}

/** From the first packet to the first answer: TCP, TLS, authentication. */
const connectMs = 2_000
/**
 * The server gives a statement up a little before its answer would be missed, so that mostly it is known that nothing
 * was done, and no lock outlives who asked for it. A COMMIT that waits for a standby is not a statement in this sense:
 * it is never given up by the server, which would call it committed.
 */
const statementShare = 0.8
/** Transactions wait for nothing but statements; one that does belongs to a process that hangs, and holds locks. */
const idleInTransactionMs = 10_000
/** BIGINT comes as a string, as it might be too large for a number: none here is (times in ms, counts). */
const int8 = 20
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
}

/** Text here has no NUL. Nothing that is stored has one either, so that what asks for one finds nothing, as elsewhere. */
const storable = (parameter: Parameter): Parameter =>
  typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\uFFFD') : parameter

/**
 * One connection. What is sent goes out at once and is answered in order, so statements that need not wait for each
 * other share a round trip.
 */
export class PostgresConnection {
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #hooks: PostgresHooks
  readonly #answerMs: number
  #broken = false
  #warned = false
  #hurried = true
  #unanswered = 0
  #answers = 0
  #deadline: NodeJS.Timeout | undefined

  private constructor(client: pg.Client, socket: Socket, { hooks, answerMs }: ConnectionOptions) {
    this.#client = client
    this.#socket = socket
    this.#hooks = hooks
    this.#answerMs = answerMs
    // A connection that is lost while idle says so here; one in use, where it is used as well.
    client.on('error', () => {
      this.#broken = true
    })
    client.on('notice', ({ code }) => {
      this.#warned ||= code?.startsWith('01') ?? false
    })
  }

  /** Opens one to a server that takes writes. Rejects when this one does not. */
  static async open({ host, port }: PostgresHost, options: ConnectionOptions): Promise<PostgresConnection> {
    const { user, password, database, ssl } = options.url
    const socket = new Socket()
    const client = new pg.Client({
      ...{ host, port, user, password, database, ssl, types },
      stream: () => socket,
      keepAlive: true,
      application_name: 'tenantry',
      pipeline: true,
    } as pg.ClientConfig)
    const connection = new PostgresConnection(client, socket, options)
    const tooLate = setTimeout(() => connection.#abort(connectMs), connectMs)
    try {
      await client.connect()
      await connection.#prepare()
      return connection
    } catch (error) {
      connection.close()
      throw error
    } finally {
      clearTimeout(tooLate)
    }
  }

  get broken(): boolean {
    return this.#broken
  }

  /** Whether the server warned since this was asked last. */
  takeWarning(): boolean {
    const warned = this.#warned
    this.#warned = false
    return warned
  }

  /** Sends a registered statement. */
  async send<Row>(statement: Statement<Row>, parameters: readonly Parameter[]): Promise<pg.QueryResult> {
    checkParameters(statement, parameters)
    this.#hooks.onStatement?.(statement.name)
    const text = this.#hooks.rewrite?.(statement.name, statement.sql) ?? statement.sql
    return this.#noting(
      this.#client.query({
        name: statement.name,
        text,
        values: parameters.map(storable),
        ...(statement.arrays && { rowMode: 'array' }),
      } as pg.QueryConfig),
    )
  }

  /** Sends SQL that is not worth preparing: the frame of a transaction, migrations. */
  execute(sql: string): Promise<pg.QueryResult> {
    return this.#noting(this.#client.query(sql))
  }

  /** Sends COMMIT, unless a test has it fail. */
  async commit(): Promise<pg.QueryResult> {
    try {
      this.#hooks.beforeCommit?.()
    } catch (error) {
      await this.execute('ROLLBACK')
      throw error
    }
    return this.execute('COMMIT')
  }

  /** While the work runs, an answer may take as long as it takes: for migrations. */
  async unhurried<T>(work: () => Promise<T>): Promise<T> {
    await this.execute('SET statement_timeout = 0')
    this.#hurried = false
    try {
      return await work()
    } finally {
      this.#hurried = true
      if (!this.#broken) await this.execute(this.#limitStatements())
    }
  }

  /** What was sent before is still answered, unless the connection is broken. */
  close(): void {
    if (this.#broken) this.#socket.destroy()
    this.#broken = true
    this.#client.end().catch(() => {})
    setTimeout(() => this.#socket.destroy(), this.#answerMs).unref()
    this.#socket.unref()
  }

  async #prepare(): Promise<void> {
    const [, , { rows }] = await Promise.all([
      this.#client.query(this.#limitStatements()),
      this.#client.query(`SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`),
      this.#client.query('SHOW transaction_read_only'),
    ])
    if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer()
    this.#deadline = setTimeout(() => this.#missAnswer(), this.#answerMs).unref()
  }

  #limitStatements(): string {
    return `SET statement_timeout = ${Math.round(this.#answerMs * statementShare)}`
  }

  async #noting(answer: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    if (this.#unanswered++ === 0) this.#deadline?.refresh()
    try {
      return await answer
    } catch (error) {
      if (failureOf(error) === 'connection') this.#broken = true
      throw error
    } finally {
      this.#unanswered--
      this.#answers++
      this.#deadline?.refresh()
    }
  }

  /** What arrived while this process was busy with something else counts: timers run before sockets are read. */
  #missAnswer(): void {
    const before = this.#answers
    setImmediate(() => {
      if (this.#hurried && this.#unanswered > 0 && this.#answers === before) this.#abort(this.#answerMs)
    })
  }

  #abort(ms: number): void {
    this.#broken = true
    this.#socket.destroy(new NoAnswer(ms))
  }
}
