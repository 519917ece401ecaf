import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { listen } from '../../test/support/event-reader.ts'
import type { EventStream } from '../core/handler.ts'
import { describeError } from './describe-error.ts'
import { createEventStreams } from './event-stream.ts'

/** An app whose one route answers with the stream, with a heartbeat that can be waited for. */
async function serve(t: TestContext, stream: EventStream<unknown>) {
  const log: string[] = []
  const app = Fastify({
    logger: { level: 'trace', serializers: { err: describeError }, stream: { write: (line) => void log.push(line) } },
  })
  const answerEvents = createEventStreams(app, { heartbeatMs: 5, lingerMs: 20 })
  app.get('/', (_request, reply) => answerEvents(reply, stream))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  return { app, url, log }
}

const endOf = (ends: AbortSignal) => new Promise<void>((resolve) => ends.addEventListener('abort', () => resolve()))

test('a quiet stream says at once that it is open, and then that it is alive', async (t) => {
  const { url } = await serve(t, async function* (ends) {
    await endOf(ends)
    yield { id: 'too late', event: 'message', data: null }
  })
  const reader = await listen(url, {})
  while (reader.comments.length < 3) await new Promise((turn) => setImmediate(turn))
  assert.deepEqual(reader.comments.slice(0, 3), [' open', '', ''])
  assert.deepEqual(reader.left, [])
})

test('line breaks in what is told break no event', async (t) => {
  const data = { text: 'one\ntwo\r\n\ndata: three\u2028' }
  const { url } = await serve(t, async function* () {
    yield { id: 'a', event: 'message', data }
  })
  const reader = await listen(url, {})
  await reader.ended
  assert.deepEqual(reader.left, [{ id: 'a', event: 'message', data }])
})

test('a stream is told when its client has gone, and nothing is logged', async (t) => {
  const gone = Promise.withResolvers<void>()
  const { url, log } = await serve(t, async function* (ends) {
    await endOf(ends)
    gone.resolve()
    yield { id: 'too late', event: 'message', data: null }
  })
  const reader = await listen(url, {})
  reader.leave()
  await gone.promise
  assert.ok(log.every((line) => !line.includes('broke off')))
})

test('a stream that fails breaks off in the middle, so that nobody takes it for the end', async (t) => {
  const failing = Promise.withResolvers<void>()
  const { url, log } = await serve(t, async function* () {
    yield { id: 'a', event: 'message', data: 1 }
    await failing.promise
    throw Object.assign(new Error('the storage went'), { bound: 'canary' })
  })
  const reader = await listen(url, {})
  await reader.take(1)
  failing.resolve()
  await reader.ended
  assert.equal(reader.isWhole(), false)
  const line = log.find((one) => one.includes('broke off'))
  assert.match(line ?? '', /the storage went/)
  assert.doesNotMatch(line ?? '', /canary/)
})

test('closing ends a stream that goes on by itself', async (t) => {
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
