import pg from 'pg'
import { checkParameters, type Parameter } from '../database.ts'
import type { Statement } from '../statement.ts'
import { failureOf } from './postgres-error.ts'
import type { PostgresHost, PostgresUrl } from './postgres-url.ts'

/** Where tests reach in: to count statements, to make them fail, to run others in their place. */
export interface PostgresHooks {
  /** Before a statement is sent; what it throws the statement throws. */
  readonly onStatement?: (name: string) => void
  /** The SQL to run in place of a statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

const connectMs = 5_000
/** BIGINT comes as a string, as it might be too large for a number: none here is (times in ms, counts). */
const int8 = 20
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
}

/**
 * One connection. What is sent goes out at once and is answered in order, so statements that need not wait for each
 * other share a round trip.
 */
export class PostgresConnection {
  readonly #client: pg.Client
  readonly #hooks: PostgresHooks
  #broken = false

  private constructor(client: pg.Client, hooks: PostgresHooks) {
    this.#client = client
    this.#hooks = hooks
    // A connection that is lost while idle says so here; one in use, where it is used as well.
    client.on('error', () => {
      this.#broken = true
    })
  }

  /** Opens one to a server that takes writes. Rejects when this one does not. */
  static async open(url: PostgresUrl, { host, port }: PostgresHost, hooks: PostgresHooks): Promise<PostgresConnection> {
    const { user, password, database, ssl } = url
    const client = new pg.Client({
      ...{ host, port, user, password, database, ssl, types },
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name: 'tenantry',
      pipeline: true,
    } as pg.ClientConfig)
    const connection = new PostgresConnection(client, hooks)
    try {
      await client.connect()
      const { rows } = await client.query('SHOW transaction_read_only')
      if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer(`${host}:${port} takes no writes`)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  get broken(): boolean {
    return this.#broken
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
        values: [...parameters],
        ...(statement.arrays && { rowMode: 'array' }),
      } as pg.QueryConfig),
    )
  }

  /** Sends SQL that is not worth preparing: the frame of a transaction, migrations. */
  execute(sql: string): Promise<pg.QueryResult> {
    return this.#noting(this.#client.query(sql))
  }

  close(): void {
    this.#broken = true
    this.#client.end().catch(() => {})
  }

  async #noting(answer: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      return await answer
    } catch (error) {
      if (failureOf(error) === 'connection') this.#broken = true
      throw error
    }
  }
}

/** A standby, or a primary that was demoted. */
export class ReadOnlyServer extends Error {
  override name = 'ReadOnlyServer'
  readonly code = '25006'
}
