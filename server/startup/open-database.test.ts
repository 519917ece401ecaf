import assert from 'node:assert/strict'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../test/support/databases/postgres-server.ts'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { openDatabase } from './open-database.ts'

let server: PostgresServer
let url: URL
before(async () => {
  server = await startPostgres()
  url = new URL(await server.createDatabase())
})
after(() => server.close())

const place = { engine: 'postgres', postgresEngine: 'postgresql', connections: 1 } as const
const settings = (url: string) => ({ ...place, rowLevelSecurity: false, migrate: true, url })

/** Forwards connections to the database. */
function createGateway(sockets: Socket[]): Server {
  const { hostname, port } = url
  return createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const each of [socket, onward]) sockets.push(each.on('error', () => {}))
    socket.pipe(onward).pipe(socket)
  })
}

test('waits for a PostgreSQL that starts later', async () => {
  const sockets: Socket[] = []
  const gateway = createGateway(sockets)
  const port = await listenOnLoopback(gateway)
  await gateway[Symbol.asyncDispose]()
  const at = Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href
  const problems: string[] = []
  const later = createGateway(sockets)
  const storage = await openDatabase(settings(at), {
    onUnreachable({ message }) {
      problems.push(message)
      if (!later.listening) later.listen(port, '127.0.0.1')
    },
  })
  await storage.ping()
  await storage.close()
  for (const socket of sockets) socket.destroy()
  await later[Symbol.asyncDispose]()
  const refused = `127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`
  assert.deepEqual([...new Set(problems)], [`No PostgreSQL server is available: ${refused}`])
})

test('gives up when the time is over, and at once on an error that waiting does not end', async () => {
  const problems: Error[] = []
  const events = { onUnreachable: (error: Error) => void problems.push(error) }
  const nowhere = settings('postgres://user:secret@127.0.0.1:1/none')
  await assert.rejects(openDatabase(nowhere, events, 0), /^NoServerAvailable: .*ECONNREFUSED/)
  await assert.rejects(openDatabase(nowhere), /ECONNREFUSED/)
  const missing = Object.assign(new URL(url), { pathname: '/missing' }).href
  await assert.rejects(openDatabase(settings(missing), events), /database "missing" does not exist/)
  assert.deepEqual(problems, [])
})
