import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startImpostor } from '../../../../test/postgres/tls-terminator.ts'
import { type PostgresServer, startPostgres } from '../../../../test/support/databases/postgres-server.ts'
import { adviseOnTls } from '../../../core/tls-advice.ts'
import {
  announcedProcessIdOf,
  type CommandComplete,
  createPipeliningClient,
  type DataRow,
  lostConnectionMessage,
  missingPasswordMessage,
  ProtocolQuery,
  type ProtocolWriter,
  protocolWriterOf,
  type RowDescription,
} from './pg-internals.ts'
import { parsePostgresUrl, tlsWords } from './postgres-url.ts'

const require = createRequire(import.meta.url)
const version = JSON.parse(readFileSync(require.resolve('pg/package.json'), 'utf8')).version as string

/** The sentence that an upgrade of `pg` fails with. */
const changed = (part: string): string => `pg ${version} changed ${part}; adapt driver/pg-internals.ts to it`

let server: PostgresServer
let url: string
before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

/** Connects, and closes the client with the test. */
async function connect() {
  const socket = new Socket()
  const client = createPipeliningClient({ connectionString: url, stream: () => socket })
  client.on('error', () => {})
  await client.connect()
  return { client, socket, [Symbol.asyncDispose]: () => client.end().catch(() => {}) }
}

/** Writes a statement, and records what `pg` passes to it. */
class RecordingQuery extends ProtocolQuery {
  readonly calls: [handler: string, message?: RowDescription | DataRow | CommandComplete | Error][] = []
  readonly #sql: string
  readonly #value: string
  readonly #ended = Promise.withResolvers<void>()

  constructor(sql: string, value: string) {
    super()
    this.#sql = sql
    this.#value = value
  }

  get ended(): Promise<void> {
    return this.#ended.promise
  }

  protected write(writer: ProtocolWriter): void {
    this.calls.push(['write'])
    writer.close({ type: 'S', name: 'recording' })
    writer.parse({ name: 'recording', text: this.#sql })
    writer.bind({ statement: 'recording', values: [this.#value, null] })
    writer.describe({ type: 'P' })
    writer.execute()
    writer.sync()
  }

  handleRowDescription(message: RowDescription): void {
    this.calls.push(['handleRowDescription', message])
  }

  handleDataRow(message: DataRow): void {
    this.calls.push(['handleDataRow', message])
  }

  handleCommandComplete(message: CommandComplete): void {
    this.calls.push(['handleCommandComplete', message])
  }

  handleError(error: Error): void {
    this.calls.push(['handleError', error])
    this.#ended.resolve()
  }

  handleReadyForQuery(): void {
    this.calls.push(['handleReadyForQuery'])
    this.#ended.resolve()
  }
}

const select = 'SELECT $1 AS text, $2::bigint AS nothing, 7::bigint AS seven'

test('Client#connection has a stream that can be corked, and the methods that write protocol messages', async () => {
  await using connected = await connect()
  const writer = protocolWriterOf(connected.client)
  assert.ok(writer, changed('Client#connection'))
  assert.equal(writer.stream, connected.socket, changed('Client#connection.stream: it is no longer the socket'))
  for (const method of ['close', 'parse', 'bind', 'describe', 'execute', 'sync'] as const)
    assert.equal(typeof writer[method], 'function', changed(`Client#connection.${method}()`))
})

test('Client#processID is the id of the server process', async () => {
  await using connected = await connect()
  const { rows } = await connected.client.query('SELECT pg_backend_pid() AS pid')
  assert.equal(announcedProcessIdOf(connected.client), rows[0].pid, changed('Client#processID'))
})

test('a subclass of Query writes its own messages and is given each message of the answer', async () => {
  await using connected = await connect()
  const query = new RecordingQuery(select, 'a')
  connected.client.query(query)
  await query.ended
  const [written, columns, row, complete, ready] = query.calls
  const order = ['write', 'handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleReadyForQuery']
  assert.deepEqual(
    query.calls.map(([handler]) => handler),
    order,
    changed('how Query#submit and the Query#handle… methods are called'),
  )
  assert.ok(written && ready)
  const described = (columns![1] as RowDescription).fields.map(({ name, dataTypeID }) => [name, dataTypeID])
  const expected = [
    ['text', 25],
    ['nothing', 20],
    ['seven', 20],
  ]
  assert.deepEqual(described, expected, changed('the message of Query#handleRowDescription()'))
  assert.deepEqual((row![1] as DataRow).fields, ['a', null, '7'], changed('the message of Query#handleDataRow()'))
  const { text } = complete![1] as CommandComplete
  assert.equal(text, 'SELECT 1', changed('the message of Query#handleCommandComplete()'))
})

test('a subclass of Query is given the error of the server, and the client goes on', async () => {
  await using connected = await connect()
  const query = new RecordingQuery('SELECT $1::integer, $2::integer', 'not a number')
  connected.client.query(query)
  await query.ended
  const [handler, error] = query.calls.at(-1)!
  assert.equal(handler, 'handleError', changed('how Query#handleError() is called'))
  const { code, severity } = error as { code?: string; severity?: string }
  assert.deepEqual([code, severity], ['22P02', 'ERROR'], changed('the error of Query#handleError()'))
  await connected.client.query('SELECT 1')
})

test('the client option `pipeline` sends a query before the one ahead of it is answered', async () => {
  await using connected = await connect()
  const queries = ['a', 'b'].map((value) => new RecordingQuery(select, value))
  for (const query of queries) connected.client.query(query)
  for (const { calls } of queries) assert.deepEqual(calls, [['write']], changed('the client option `pipeline`'))
  await Promise.all(queries.map(({ ended }) => ended))
  const values = queries.map(({ calls }) => (calls[2]![1] as DataRow).fields[0])
  assert.deepEqual(values, ['a', 'b'], changed('the order in which pipelined queries are answered'))
})

test('errors of a lost or closed connection have the known messages, and no code', async () => {
  await using lost = await connect()
  const query = new RecordingQuery('SELECT pg_sleep(30), $1, $2::text', 'a')
  lost.client.query(query)
  lost.socket.destroy()
  await query.ended
  await using closed = await connect()
  await closed.client.end()
  const errors = [
    query.calls.at(-1)![1] as Error,
    await lost.client.query('SELECT 1').catch((error: Error) => error),
    await closed.client.query('SELECT 1').catch((error: Error) => error),
  ]
  for (const error of errors) {
    const { message, code } = error as { message: string; code?: string }
    assert.match(message, lostConnectionMessage, changed('the messages of lost connections'))
    assert.equal(code, undefined, changed('the messages of lost connections: they have a code now'))
  }
})

test('the error of a missing password for SCRAM has the known message', async () => {
  const sasl = require('pg/lib/crypto/sasl')
  const session = sasl.startSession(['SCRAM-SHA-256'])
  const first = `r=${session.clientNonce}1,s=c2FsdA==,i=4096`
  const continued = (async () => sasl.continueSession(session, null, first))()
  await assert.rejects(continued, ({ message }: Error) => {
    assert.match(message, missingPasswordMessage, changed('the message of a missing password'))
    return true
  })
})

test('the error of a server without TLS is one that server/core/tls-advice.ts explains', async () => {
  await using withoutTls = await startImpostor(Buffer.from('N'))
  const { user, database } = parsePostgresUrl(url)
  const client = new pg.Client({ host: '127.0.0.1', port: withoutTls.port, user, database, ssl: true })
  const error = await client.connect().catch((refusal: unknown) => refusal)
  assert.notEqual(adviseOnTls(error, tlsWords), error, changed('the message for a server without TLS'))
})
