import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { setTimeout, setImmediate as turn } from 'node:timers/promises'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { quietMs, watchConnections } from './connections.ts'

/** A Node server with tracked connections, and its port. */
async function listen(t: TestContext, handler: RequestListener) {
  const server = createServer(handler)
  const connections = watchConnections(server)
  const port = await listenOnLoopback(server)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, connections, port }
}

/** Sends a request on a new connection. Resolves when it is closed, or rejects with why there was no answer. */
async function getOnce(port: number): Promise<void> {
  // An address, because the lookup of a name takes long on a busy machine.
  const call = get({ host: '127.0.0.1', port, agent: new Agent() }).on('response', (answer) => answer.resume())
  await once(call, 'close')
}

/** Everything that a raw connection receives until it is closed. */
async function readAll(socket: ReturnType<typeof connect>): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

test('does not cut off an answer that a slow client has not read yet', async (t) => {
  const size = 20_000_000
  const answered = Promise.withResolvers<void>()
  const { server, connections, port } = await listen(t, (_request, response) => {
    response.end(Buffer.alloc(size))
    answered.resolve()
  })
  const socket = connect(port, '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await answered.promise
  await connections.stopListening()
  const closed = once(server, 'close')
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > size) socket.end()
  })
  socket.resume()
  await closed
  assert.ok(received > size, `${received} bytes`)
})

test('does not reset a connection that it closes while a body still arrives', async (t) => {
  const answered = Promise.withResolvers<void>()
  const { port } = await listen(t, (_request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large').once('close', answered.resolve)
  })
  const part = Buffer.alloc(50_000)
  // Like a proxy that sends the whole body before it reads the answer.
  const socket = connect(port, '127.0.0.1').pause()
  // The write that fails rejects, too.
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${10 * part.length}\r\n\r\n`)
  await answered.promise
  for (let sent = 0; sent < 10; sent++) {
    await new Promise<void>((resolve, reject) => socket.write(part, (error) => (error ? reject(error) : resolve())))
    await turn()
  }
  assert.match(await readAll(socket.resume()), /^HTTP\/1.1 413 .*too large\r\n/s)
})

test('sends Connection: close on answers started before and after closeAfterAnswers', async (t) => {
  const first = Promise.withResolvers<void>()
  const { connections, port } = await listen(t, async (request, response) => {
    if (request.url === '/slow') await first.promise
    response.end()
  })
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const connectionOf = async (path: string) => {
    const [response] = await once(get({ port, path, agent }), 'response')
    response.resume()
    return response.headers.connection
  }
  assert.equal(await connectionOf('/'), 'keep-alive')
  const slow = connectionOf('/slow')
  await connectionOf('/')
  connections.closeAfterAnswers()
  first.resolve()
  assert.deepEqual([await slow, await connectionOf('/')], ['close', 'close'])
})

test('answers all pipelined requests that have arrived, and closes the connection with the last answer', async (t) => {
  const { connections, port } = await listen(t, (request, response) =>
    setImmediate(() => response.end(`answer to ${request.url}\n`)),
  )
  connections.closeAfterAnswers()
  const socket = connect(port, '127.0.0.1')
  socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  const answers = await readAll(socket)
  assert.deepEqual(answers.match(/answer to \/\d/g), ['answer to /1', 'answer to /2', 'answer to /3'])
  assert.deepEqual(answers.match(/connection: close/gi)?.length, 1)
})

test('closes idle connections with the listener and silent ones a second later, and reads half-sent requests', async (t) => {
  const { server, connections, port } = await listen(t, (request, response) => {
    request.resume().on('end', () => response.end('read'))
  })
  const open = async (text: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return socket
  }
  const idle = await open('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  const half = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n1')
  const headers = await open('GET / HTTP/1.1\r\nho')
  const silent = await open('')
  const begun = performance.now()
  const ended = Promise.all([once(idle, 'close'), once(silent, 'close')])
  await connections.stopListening()
  await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), /ECONNREFUSED/)
  half.write('2')
  headers.write('st: x\r\n\r\n')
  for (const answer of await Promise.all([half, headers].map(readAll)))
    assert.match(answer, /connection: close(.|\s)*read/i)
  await Promise.all([ended, server.listening || once(server, 'close')])
  assert.ok(performance.now() - begun < 10_000)
})

test('waits 100 ms for the next connection of a client that was just answered', async (t) => {
  // On a busy machine, the client itself can take longer.
  for (let attempt = 0, tookMs = Number.POSITIVE_INFINITY; tookMs > 90; attempt++) {
    assert.ok(attempt < 100)
    const { connections, port } = await listen(t, (_request, response) => response.end())
    await getOnce(port)
    const begun = performance.now()
    const closed = connections.stopListening()
    await setTimeout(40)
    const next = getOnce(port).then(
      () => 'answered',
      () => 'refused',
    )
    // The client connects in this turn.
    await turn()
    tookMs = performance.now() - begun
    await closed
    if (tookMs <= 90) assert.equal(await next, 'answered')
  }
})

test('closes the listener although clients pause only 20 ms', async (t) => {
  const { connections, port } = await listen(t, (_request, response) => response.end())
  await getOnce(port)
  const closed = connections.stopListening()
  for (let isRefused = false; !isRefused; await setTimeout(20)) {
    await getOnce(port).catch(({ code }) => {
      isRefused = code === 'ECONNREFUSED'
    })
  }
  await closed
})

test('asks for less quiet the longer it waits', () => {
  assert.deepEqual([0, 500, 1_000, 2_000].map(quietMs), [100, 75, 50, 0])
})

test('sleeps while it waits for new connections before it closes the listener', async (t) => {
  const { connections, port } = await listen(t, (_request, response) => response.end())
  await getOnce(port)
  const { loopCount } = performance.nodeTiming.uvMetricsInfo
  await connections.stopListening()
  const turns = performance.nodeTiming.uvMetricsInfo.loopCount - loopCount
  t.diagnostic(`${turns} turns of the event loop`)
  assert.ok(turns < 200, `${turns} turns of the event loop`)
})
