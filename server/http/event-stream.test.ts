import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { listen } from '../../test/support/events/event-reader.ts'
import type { EventStream } from '../core/handler.ts'
import { describeError } from './describe-error.ts'
import { createEventStreams } from './event-stream.ts'

/** An app with one route that answers with the stream, with a short heartbeat. */
async function serve(
  t: TestContext,
  events: EventStream<unknown>['events'],
  { lingerMs = 20, mayRead = async () => true } = {},
) {
  const log: string[] = []
  const app = Fastify({
    logger: { level: 'trace', serializers: { err: describeError }, stream: { write: (line) => void log.push(line) } },
  })
  const answerEvents = createEventStreams(app, { heartbeatMs: 5, lingerMs })
  app.get('/', (_request, reply) => answerEvents(reply, { events, mayRead }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  return { app, url, log }
}

const endOf = (ends: AbortSignal) => new Promise<void>((resolve) => ends.addEventListener('abort', () => resolve()))

test('sends a comment at once and heartbeats while there are no events', async (t) => {
  const { url } = await serve(t, async function* (ends) {
    await endOf(ends)
    yield { id: 'too late', event: 'message', data: null }
  })
  const reader = await listen(url, {})
  while (reader.comments.length < 3) await new Promise((turn) => setImmediate(turn))
  assert.deepEqual(reader.comments.slice(0, 3), [' open', '', ''])
  assert.deepEqual(reader.left, [])
})

test('tells browsers to open a broken stream again after a second', async (t) => {
  const { url } = await serve(t, async function* () {})
  assert.equal(await (await fetch(url)).text(), ': open\nretry: 1000\n\n')
})

test('keeps line breaks in event data', async (t) => {
  const data = { text: 'one\ntwo\r\n\ndata: three\u2028' }
  const { url } = await serve(t, async function* () {
    yield { id: 'a', event: 'message', data }
  })
  const reader = await listen(url, {})
  await reader.ended
  assert.deepEqual(reader.left, [{ id: 'a', event: 'message', data }])
})

test('ends the stream when its client disconnects, and logs nothing', async (t) => {
  const gone = Promise.withResolvers<void>()
  const { url, log } = await serve(t, async function* (ends) {
    await endOf(ends)
    gone.resolve()
    yield { id: 'too late', event: 'message', data: null }
  })
  const reader = await listen(url, {})
  reader.leave()
  await gone.promise
  assert.ok(log.every((line) => !line.includes('event stream failed')))
})

test('begins a stream that has ended when its client left before', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const answerEvents = createEventStreams(app)
  const hasEnded = Promise.withResolvers<boolean>()
  async function* events(ends: AbortSignal) {
    hasEnded.resolve(ends.aborted)
    yield { id: 'too late', event: 'message', data: null }
  }
  app.get('/', async ({ raw }, reply) => {
    raw.socket.destroy()
    await once(reply.raw, 'close')
    return answerEvents(reply, { events, mayRead: async () => true })
  })
  await assert.rejects(fetch(await app.listen({ port: 0, host: '127.0.0.1' })))
  assert.equal(await hasEnded.promise, true)
})

test('ends the stream and the connection of a client that reads nothing when it may no longer read', async (t) => {
  const over = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (;;) yield { id: '1', event: 'message', data: 'x'.repeat(100_000) }
    } finally {
      over.resolve()
    }
  }
  const { app, url } = await serve(t, endless, { mayRead: async () => false })
  const { port } = new URL(url)
  const accepted = once(app.server, 'connection')
  const socket = connect(Number(port), '127.0.0.1').pause()
  t.after(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [connection] = await accepted
  const closed = once(connection, 'close')
  await over.promise
  await closed
})

test('sends what a stream gave before it failed, and ends the response', async (t) => {
  async function* failing() {
    for (let id = 1; id <= 100; id++) yield { id: String(id), event: 'message', data: 'x'.repeat(1_000) }
    throw Object.assign(new Error('the storage went'), { bound: 'canary' })
  }
  const { url, log } = await serve(t, failing, { lingerMs: 60_000 })
  const reader = await listen(url, {})
  await reader.ended
  assert.equal(reader.left.length, 100)
  // Clients discard what they have not read yet of a response that breaks off.
  assert.equal(reader.isWhole(), true)
  const line = log.find((one) => one.includes('event stream failed'))
  assert.match(line ?? '', /the storage went/)
  assert.doesNotMatch(line ?? '', /canary/)
})

test('ends open streams when the app closes', async (t) => {
  const { app, url } = await serve(t, async function* (ends) {
    for (let id = 0; !ends.aborted; id++) {
      yield { id: String(id), event: 'message', data: null }
      await new Promise((turn) => setImmediate(turn))
    }
  })
  const reader = await listen(url, {})
  await reader.take(3)
  await Promise.all([app.close(), reader.ended])
})
