import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { createLinesAnswers } from './lines-answer.ts'

test('closing waits for what an answer does after its connection was cut off', async () => {
  let isOver = false
  async function* lines() {
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      await wait(100)
      isOver = true
    }
  }
  const app = Fastify()
  const answerLines = createLinesAnswers(app, { clock: { now: () => 0 }, unreadMs: 60_000 })
  app.get('/', (_request, reply) => answerLines(reply, 200, lines(), async () => true))
  const sent = request(await app.listen({ port: 0, host: '127.0.0.1' })).end()
  const [answer] = await once(sent, 'response')
  answer.on('error', () => {})
  const closed = app.close()
  app.server.closeAllConnections()
  await closed
  assert.ok(isOver)
})

test('reads one line at most for a client that left before its answer began', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const answerLines = createLinesAnswers(app, { clock: { now: () => 0 }, unreadMs: 60_000 })
  const read = Promise.withResolvers<number>()
  async function* lines() {
    let count = 0
    try {
      while (count < 1_000) yield count++
    } finally {
      read.resolve(count)
    }
  }
  app.get('/', async ({ raw }, reply) => {
    raw.socket.destroy()
    await once(reply.raw, 'close')
    return answerLines(reply, 200, lines(), async () => true)
  })
  await assert.rejects(fetch(await app.listen({ port: 0, host: '127.0.0.1' })))
  assert.equal(await read.promise, 1)
})

test('closes the connection of a client that reads nothing of the end', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-lines-'))
  t.after(() => rm(folder, { recursive: true }))
  const app = Fastify()
  t.after(() => app.close())
  const answerLines = createLinesAnswers(app, { clock: { now: () => 0 }, unreadMs: 100 })
  const ended = Promise.withResolvers<ServerResponse>()
  app.get('/', ({ raw }, reply) => {
    async function* lines() {
      // While the body arrives, this much is buffered.
      yield 'x'.repeat(10_000_000)
      for await (const _ of raw);
    }
    reply.raw.once('close', () => ended.resolve(reply.raw))
    return answerLines(reply, 200, lines(), async () => true)
  })
  // What the system buffers of a Unix socket is less, on every machine.
  const socketPath = join(folder, 'socket')
  await app.listen({ path: socketPath })
  const sent = request({ socketPath, headers: { 'content-length': 1 } }).on('error', () => {})
  sent.flushHeaders()
  await once(sent, 'response')
  sent.end('x')
  assert.equal((await ended.promise).writableFinished, false)
})

test('gives the answer to a pipelined request its time', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const answerLines = createLinesAnswers(app, { clock: { now: () => 0 }, unreadMs: 100 })
  async function* lines() {
    yield 1
  }
  app.get('/', (_request, reply) => answerLines(reply, 200, lines(), async () => true))
  app.get('/later', async () => {
    await wait(300)
    return 'answered'
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const later = 'GET /later HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${later}`)
  assert.match(await text(socket), /answered$/)
})
