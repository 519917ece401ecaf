import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { adviseOnTls } from '../../../core/tls-trust.ts'
import { checkParameters } from '../../database.ts'
import { type PostgresEngine, postgresEngines } from '../postgres-engines.ts'
import { type Command, type StatementCall, transactionCommands } from './commands.ts'
import {
  type Outcome,
  PipelinedQuery,
  type PipelineStep,
  type PreparedStatements,
  type StatementResult,
  types,
} from './pipelined-query.ts'
import { failureOf, isServerError, ReadOnlyServer, ResponseTimeout } from './postgres-error.ts'
import { type PostgresHost, type PostgresUrl, tlsWords } from './postgres-url.ts'
import { limitStatements, sessionSettings } from './session-settings.ts'

/** Where tests reach in: to count statements, to make them fail, to run others in their place. */
export interface PostgresHooks {
  /** Before a statement is sent; what it throws the statement throws. */
  readonly onStatement?: (name: string) => void
  /** Between a transaction's last statement and its COMMIT; what it throws the COMMIT throws. */
  readonly beforeCommit?: () => void
  /** The SQL to run in place of a statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

export interface ConnectionOptions {
  readonly url: PostgresUrl
  /** What is at that address; PostgreSQL itself. */
  readonly engine?: PostgresEngine
  readonly hooks: PostgresHooks
  /** A server that does not answer for so long, in milliseconds, is given up, and what it was asked fails. */
  readonly responseTimeoutMs: number
}

/** From the first packet to the first answer: TCP, TLS, authentication. */
const connectMs = 2_000

/**
 * One connection. What is sent without waiting in between goes out in one write and is answered in order, so statements
 * that need not wait for each other share a round trip.
 */
export class PostgresConnection {
  /** Opens one more to the same address, which the caller closes. */
  readonly another: () => Promise<PostgresConnection>
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #engine: PostgresEngine
  readonly #hooks: PostgresHooks
  readonly #responseTimeoutMs: number
  readonly #prepared: PreparedStatements = new Map()
  #broken = false
  #warned = false
  #held = false
  #hurried = true
  #unanswered = 0
  #answers = 0
  #deadline: NodeJS.Timeout | undefined

  private constructor(client: pg.Client, socket: Socket, place: PostgresHost, options: ConnectionOptions) {
    const { engine, hooks, responseTimeoutMs } = options
    this.another = () => PostgresConnection.open(place, options)
    this.#client = client
    this.#socket = socket
    this.#engine = engine ?? postgresEngines.postgresql
    this.#hooks = hooks
    this.#responseTimeoutMs = responseTimeoutMs
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
    const connection = new PostgresConnection(client, socket, { host, port }, options)
    const tooLate = setTimeout(() => connection.#abort(connectMs), connectMs)
    try {
      await client.connect()
      await connection.#prepare()
      return connection
    } catch (error) {
      connection.close()
      throw adviseOnTls(error, tlsWords)
    } finally {
      clearTimeout(tooLate)
    }
  }

  /** The id of the server process, as announced when the connection was made. */
  get announcedProcessId(): number {
    return (this.#client as pg.Client & { readonly processID: number }).processID
  }

  get broken(): boolean {
    return this.#broken
  }

  /** Whether the server warned since a COMMIT was last sent, or what travelled with it. */
  get warned(): boolean {
    return this.#warned
  }

  /** Sends statements together; resolves when all are answered. The first that fails ends those after it. */
  async send(...calls: readonly Command[]): Promise<readonly StatementResult[]> {
    const { answers, error } = await this.attempt(...calls)
    if (error !== undefined) throw error
    return answers
  }

  /** As `send`, and tells how far it came; a transaction is left to be rolled back. Throws at once what it cannot send. */
  attempt(...calls: readonly Command[]): Promise<Outcome> {
    const commits = calls.at(-1) === 'COMMIT'
    const refusal = commits ? this.#refusalToCommit() : null
    const sent = refusal === null ? calls : [...calls.slice(0, -1), 'ROLLBACK' as const]
    const query = new PipelinedQuery(
      sent.map((call) => (typeof call === 'string' ? transactionCommands[call] : this.#step(call))),
      this.#prepared,
    )
    // What was warned of before, at the connection's start too, says nothing of this COMMIT.
    if (commits) this.#warned = false
    this.#asked()
    this.#holdWrites()
    this.#client.query(query)
    return query.outcome.then((outcome) => {
      this.#answered(outcome.error)
      if (refusal !== null && outcome.error === undefined) throw refusal
      return outcome
    })
  }

  /** Ends a transaction without a trace. A connection that could not is broken: whoever had it next would be inside. */
  async rollBack(): Promise<void> {
    if (this.#broken) return
    const { error } = await this.attempt('ROLLBACK')
    if (error !== undefined) this.#broken = true
  }

  /** Sends SQL that is not worth preparing: migrations. */
  async execute(sql: string): Promise<pg.QueryResult> {
    this.#asked()
    try {
      const result = await this.#client.query(sql)
      this.#answered()
      return result
    } catch (error) {
      this.#answered(error)
      throw error
    }
  }

  /** While the work runs, an answer may take as long as it takes: for migrations. */
  async withoutTimeouts<T>(work: () => Promise<T>): Promise<T> {
    const { sessionTimeouts } = this.#engine
    if (sessionTimeouts) await this.execute('SET statement_timeout = 0')
    this.#hurried = false
    try {
      return await work()
    } finally {
      this.#hurried = true
      if (sessionTimeouts && !this.#broken) await this.execute(limitStatements(this.#responseTimeoutMs))
    }
  }

  /** What was sent before is still answered, unless the connection is broken. */
  close(): void {
    if (this.#broken) this.#socket.destroy()
    this.#broken = true
    this.#client.end().catch(() => {})
    setTimeout(() => this.#socket.destroy(), this.#responseTimeoutMs).unref()
    this.#socket.unref()
  }

  async #prepare(): Promise<void> {
    const [mode] = await Promise.all([
      this.#engine.sessionTimeouts ? this.#client.query('SHOW transaction_read_only') : null,
      ...sessionSettings(this.#engine, this.#responseTimeoutMs).map((sql) => this.#client.query(sql)),
    ])
    if (mode !== null && mode.rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer()
    this.#deadline = setTimeout(() => this.#missAnswer(), this.#responseTimeoutMs).unref()
  }

  #refusalToCommit(): unknown {
    try {
      this.#hooks.beforeCommit?.()
      return null
    } catch (error) {
      return error
    }
  }

  #step([statement, parameters]: StatementCall): PipelineStep {
    checkParameters(statement, parameters)
    this.#hooks.onStatement?.(statement.name)
    const sql = this.#hooks.rewrite?.(statement.name, statement.sql) ?? statement.sql
    return { name: statement.name, sql, values: parameters, arrays: statement.arrays }
  }

  /** What is sent by pieces of work that run one after the other, without waiting, is written at once. */
  #holdWrites(): void {
    if (this.#held) return
    this.#held = true
    const { stream } = (this.#client as unknown as { connection: { stream: Writable } }).connection
    stream.cork()
    process.nextTick(() => {
      this.#held = false
      stream.uncork()
    })
  }

  #asked(): void {
    if (this.#unanswered++ === 0) this.#deadline?.refresh()
  }

  #answered(error?: unknown): void {
    // After an error that is not the server's own nobody knows what comes next.
    if (error !== undefined && (!isServerError(error) || failureOf(error) === 'connection')) this.#broken = true
    this.#unanswered--
    this.#answers++
    this.#deadline?.refresh()
  }

  /** What arrived while this process was busy with something else counts: timers run before sockets are read. */
  #missAnswer(): void {
    const before = this.#answers
    setImmediate(() => {
      if (this.#hurried && this.#unanswered > 0 && this.#answers === before) this.#abort(this.#responseTimeoutMs)
    })
  }

  #abort(ms: number): void {
    this.#broken = true
    this.#socket.destroy(new ResponseTimeout(ms))
  }
}
