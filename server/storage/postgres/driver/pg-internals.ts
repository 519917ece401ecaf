import type { Writable } from 'node:stream'
import pg from 'pg'

/**
 * Every part of `pg` that we use although it is private or undocumented. No other file knows them.
 * `pg-internals.test.ts` checks each on the installed version, so an upgrade that changes one names it.
 */

/** `Client#connection`, which writes the messages of the extended query protocol. */
export interface ProtocolWriter {
  /** The socket; another one once TLS is established. */
  readonly stream: Writable
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly (string | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** `RowDescription`, as `pg` parses it. */
export interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** `DataRow`, in text format. */
export interface DataRow {
  readonly fields: readonly (string | null)[]
}

/** `CommandComplete`: `INSERT 0 1`. */
export interface CommandComplete {
  readonly text: string
}

/** Creates a client that sends a query before the queries ahead of it are answered (the option `pipeline`). */
export const createPipeliningClient = (config: pg.ClientConfig): pg.Client =>
  new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)

export const protocolWriterOf = (client: pg.Client): ProtocolWriter =>
  (client as unknown as { readonly connection: ProtocolWriter }).connection

/** The id of the server process, as the server announced it when the connection was made. */
export const announcedProcessIdOf = (client: pg.Client): number =>
  (client as unknown as { readonly processID: number }).processID

/**
 * A query that writes its own protocol messages. A pipelining client accepts subclasses of `pg.Query` only, calls
 * `submit` at once, and passes each message of the answer to the method for it.
 */
export abstract class ProtocolQuery extends pg.Query {
  constructor() {
    super('')
  }

  // A property in the types of `pg`, so a method cannot override it. The handlers below are not in its types.
  override submit = (connection: unknown): void => this.write(connection as ProtocolWriter)

  protected abstract write(writer: ProtocolWriter): void
  abstract handleRowDescription(message: RowDescription): void
  abstract handleDataRow(message: DataRow): void
  abstract handleCommandComplete(message: CommandComplete): void
  /** Called for an error of the server, and when the connection is lost. */
  abstract handleError(error: Error): void
  /** Called when the server has processed everything up to `sync`, also after an error. */
  abstract handleReadyForQuery(): void
}

/** What `pg` says when a connection is lost or closed; these errors have no code. */
export const lostConnectionMessage = /Connection terminated|Client was closed|not queryable/

/** What `pg` says when the server asks for a password by SCRAM and there is none. */
export const missingPasswordMessage = /client password must be a/
