import { Socket } from 'node:net'
import type pg from 'pg'
import { adviseOnTls } from '../../../core/tls-advice.ts'
import { checkParameters } from '../../database.ts'
import { type Command, type StatementCall, transactionSteps } from './commands.ts'
import { GroupedReads } from './grouped-reads.ts'
import { announcedProcessIdOf, createPipeliningClient, protocolWriterOf } from './pg-internals.ts'
import {
  PipelinedQuery,
  type PipelineOutcome,
  type PipelineStep,
  type PreparedStatements,
  type StatementResult,
  types,
} from './pipelined-query.ts'
import { failureOf, isServerError, isWarning, ResponseTimeout } from './postgres-error.ts'
import { type PostgresHost, type PostgresUrl, tlsWords } from './postgres-url.ts'
import { refuseReadOnlyServer } from './refuse-read-only-server.ts'
import { keepAlive, ResponseDeadline } from './response-deadline.ts'
import { postgresqlSession, type SessionSupport, sessionSettings, setStatementTimeout } from './session-settings.ts'

/** Hooks for tests: they count statements, make them fail, or replace their SQL. */
export interface PostgresHooks {
  /** Called before a statement is sent; an error it throws becomes the statement's. */
  readonly onStatement?: (name: string) => void
  /** Called between a transaction's last statement and its COMMIT; an error it throws becomes the COMMIT's. */
  readonly beforeCommit?: () => void
  /** Returns the SQL to send instead of the statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

export interface ConnectionOptions {
  readonly url: PostgresUrl
  /** What the engine at this address supports; everything that PostgreSQL does unless given. */
  readonly engine?: SessionSupport
  readonly hooks: PostgresHooks
  /** A server that sends no answer for this long, in milliseconds, is considered lost: statements in flight fail. */
  readonly responseTimeoutMs: number
}

/** For TCP, TLS, authentication and the first answer. */
const connectTimeoutMs = 2_000

/**
 * One connection. Commands sent without waiting in between share one write and are answered in order, so statements that
 * do not depend on each other's results share a round trip.
 */
export class PostgresConnection {
  /** Opens another connection to the same host. The caller closes it. */
  readonly openAnother: () => Promise<PostgresConnection>
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #engine: SessionSupport
  readonly #hooks: PostgresHooks
  readonly #responseTimeoutMs: number
  readonly #deadline: ResponseDeadline
  readonly #prepared: PreparedStatements = new Map()
  readonly #reads = new GroupedReads(this)
  #broken = false
  #warned = false
  #corked = false

  private constructor(client: pg.Client, socket: Socket, host: PostgresHost, options: ConnectionOptions) {
    const { engine = postgresqlSession, hooks, responseTimeoutMs } = options
    this.openAnother = () => PostgresConnection.open(host, options)
    this.#client = client
    this.#socket = socket
    this.#engine = engine
    this.#hooks = hooks
    this.#responseTimeoutMs = responseTimeoutMs
    this.#deadline = new ResponseDeadline(responseTimeoutMs, (ms) => this.#abort(ms))
    // Emitted for idle connections too, which have no query that could fail.
    client.on('error', () => {
      this.#broken = true
    })
    client.on('notice', (notice) => {
      this.#warned ||= isWarning(notice)
    })
  }

  /** Opens a connection; rejects when the server is read-only. */
  static async open({ host, port }: PostgresHost, options: ConnectionOptions): Promise<PostgresConnection> {
    const { user, password, database, ssl } = options.url
    const socket = new Socket()
    const client = createPipeliningClient({
      ...{ host, port, user, password, database, ssl, types },
      stream: () => socket,
      ...keepAlive,
      application_name: 'tenantry',
    } as pg.ClientConfig)
    const connection = new PostgresConnection(client, socket, { host, port }, options)
    const timer = setTimeout(() => connection.#abort(connectTimeoutMs), connectTimeoutMs)
    try {
      await client.connect()
      await connection.#prepareSession()
      return connection
    } catch (error) {
      connection.close()
      throw adviseOnTls(error, tlsWords)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The id of the server process that the server announced. A pooler announces a different one. */
  get announcedProcessId(): number {
    return announcedProcessIdOf(this.#client)
  }

  get broken(): boolean {
    return this.#broken
  }

  /** Whether the server has warned since the last COMMIT, or the pipeline that ends with it, was sent. */
  get warned(): boolean {
    return this.#warned
  }

  /** Sends commands together and resolves when all are answered. Those after the first that fails are not run. */
  async send(...commands: readonly Command[]): Promise<readonly StatementResult[]> {
    const { results, error } = await this.trySend(...commands)
    if (error !== undefined) throw error
    return results
  }

  /**
   * Like `send`, but resolves with how far the server came. The caller rolls a failed transaction back.
   * Throws at once when a command is invalid and nothing was sent.
   */
  trySend(...commands: readonly Command[]): Promise<PipelineOutcome> {
    const commits = commands.at(-1) === 'COMMIT'
    const refusal = commits ? this.#refusalOfCommit() : null
    const sent = refusal === null ? commands : [...commands.slice(0, -1), 'ROLLBACK' as const]
    const query = new PipelinedQuery(
      sent.map((command) => this.#stepOf(command)),
      this.#prepared,
    )
    // Earlier warnings, such as those at connect, are not about this COMMIT.
    if (commits) this.#warned = false
    this.#deadline.noteSent()
    this.#corkUntilNextTick()
    this.#client.query(query)
    return query.outcome.then((outcome) => {
      this.#noteAnswered(outcome.error)
      if (refusal !== null && outcome.error === undefined) throw refusal
      return outcome
    })
  }

  /**
   * Sends a statement that only reads. Reads of the same tick with the same preamble are one pipeline. An error of one is
   * not an error of the others.
   * @param preamble what the read's transaction begins with
   */
  async read(preamble: readonly StatementCall[], call: StatementCall): Promise<StatementResult> {
    return this.#reads.add(preamble, this.#stepOf(call))
  }

  /** Rolls the transaction back. If that fails, the connection is marked broken, because it is still in the transaction. */
  async rollBack(): Promise<void> {
    if (this.#broken) return
    const { error } = await this.trySend('ROLLBACK')
    if (error !== undefined) this.#broken = true
  }

  /** Sends SQL that is not worth preparing, such as migrations. */
  async execute(sql: string): Promise<pg.QueryResult> {
    this.#deadline.noteSent()
    try {
      const result = await this.#client.query(sql)
      this.#noteAnswered()
      return result
    } catch (error) {
      this.#noteAnswered(error)
      throw error
    }
  }

  /** Runs work with the statement timeout and the response timeout off, for migrations. */
  async withoutTimeouts<T>(work: () => Promise<T>): Promise<T> {
    const { sessionTimeouts } = this.#engine
    if (sessionTimeouts) await this.execute('SET statement_timeout = 0')
    this.#deadline.suspend()
    try {
      return await work()
    } finally {
      this.#deadline.resume()
      if (sessionTimeouts && !this.#broken) await this.execute(setStatementTimeout(this.#responseTimeoutMs))
    }
  }

  /** Closes the connection once commands in flight are answered, or at once when it is broken. */
  close(): void {
    if (this.#broken) this.#socket.destroy()
    this.#broken = true
    this.#client.end().catch(() => {})
    setTimeout(() => this.#socket.destroy(), this.#responseTimeoutMs).unref()
    this.#socket.unref()
  }

  async #prepareSession(): Promise<void> {
    await Promise.all([
      this.#engine.sessionTimeouts && refuseReadOnlyServer(this.#client),
      ...sessionSettings(this.#engine, this.#responseTimeoutMs).map((sql) => this.#client.query(sql)),
    ])
    this.#deadline.start()
  }

  #refusalOfCommit(): unknown {
    try {
      this.#hooks.beforeCommit?.()
      return null
    } catch (error) {
      return error
    }
  }

  #stepOf(command: Command): PipelineStep {
    if (typeof command === 'string') return transactionSteps[command]
    if ('sql' in command) return command
    const [statement, parameters] = command
    checkParameters(statement, parameters)
    this.#hooks.onStatement?.(statement.name)
    const sql = this.#hooks.rewrite?.(statement.name, statement.sql) ?? statement.sql
    return { name: statement.name, sql, values: parameters, arrays: statement.arrays }
  }

  /** Jobs that share the connection send in the same tick. Corking joins their messages into one write. */
  #corkUntilNextTick(): void {
    if (this.#corked) return
    this.#corked = true
    const { stream } = protocolWriterOf(this.#client)
    stream.cork()
    process.nextTick(() => {
      this.#corked = false
      stream.uncork()
    })
  }

  #noteAnswered(error?: unknown): void {
    // After an error that did not come from the server, the state of the protocol is unknown.
    if (error !== undefined && (!isServerError(error) || failureOf(error) === 'connection')) this.#broken = true
    this.#deadline.noteAnswered()
  }

  #abort(timeoutMs: number): void {
    this.#broken = true
    this.#socket.destroy(new ResponseTimeout(timeoutMs))
  }
}
