import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { ServiceError } from '../../../server/core/service-error.ts'
import { type LinesMethods, linesMethods } from '../../../test/support/http/lines-methods.ts'
import { type LinesServer, startLinesServer } from '../../../test/support/http/lines-server.ts'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { memoryHeld } from '../../../test/support/memory-held.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { testAdminKey } from '../../../test/support/service.ts'
import type { Connection } from './call.ts'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from './index.ts'

const MiB = 1024 ** 2

let server: LinesServer
let connection: Connection
let calm: LinesServer['work']
let client: LinesMethods
before(async () => {
  server = await startLinesServer()
  connection = { baseUrl: server.baseUrl, adminKey: testAdminKey }
  client = linesMethods(connection)
  calm = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, calm))

const rejection = <E extends Error>(work: Promise<unknown>, type: new (...args: never[]) => E): Promise<E> =>
  work.then(
    () => assert.fail('it resolved'),
    (error) => {
      assert.ok(error instanceof type, `${error}`)
      return error
    },
  )

test('yields lines one by one and starts the call with the first read', async () => {
  const lines = client.list()
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = false
  server.work.list = async function* () {
    asked = true
    yield { n: 1 }
    await promise
    yield { done: true }
  }
  assert.equal(asked, false)
  const back: unknown[] = []
  for await (const line of lines) {
    back.push(line)
    resolve()
  }
  assert.deepEqual(back, [{ n: 1 }, { done: true }])
})

test('reads many lines in little memory', async () => {
  // The same number of bytes, whatever the number of lines.
  const count = sampleSize(50_000, 10_000)
  const padding = 'x'.repeat(10_000_000 / count)
  server.work.list = async function* () {
    for (let n = 1; n < count; n++) yield { n, padding }
    yield { done: true }
  }
  const started = memoryHeld()
  let [received, most] = [0, started]
  for await (const _ of client.list()) if (received++ % (count / 5) === 0) most = Math.max(most, memoryHeld())
  assert.equal(received, count)
  assert.ok(most - started < 16 * MiB, `${Math.round((most - started) / MiB)} MiB`)
})

test('stops the service when the iteration ends', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.work.list = async function* () {
    try {
      for (let n = 0; ; n++) yield { n }
    } finally {
      resolve()
    }
  }
  const started = performance.now()
  for await (const _ of client.list()) break
  await promise
  assert.ok(performance.now() - started < 10_000)
})

test('rejects with an error line after the lines before it', async () => {
  server.work.list = async function* () {
    yield { n: 1 }
    throw new ServiceError('UNEXPECTED_STATE')
  }
  const back: unknown[] = []
  const reading = (async () => {
    for await (const line of client.list()) back.push(line)
  })()
  const { code, status, requestId } = await rejection(reading, TenantryError)
  assert.deepEqual([code, status, back], ['UNEXPECTED_STATE', 500, [{ n: 1 }]])
  assert.match(requestId, /^[0-9A-Z]{26}$/)
})

/** A server that answers so, how to read its lines, and the lines that came. */
async function readFrom(t: TestContext, answer: RequestListener) {
  const server = createServer(answer)
  const port = await listenOnLoopback(server)
  t.after(() => server.close())
  const baseUrl = `http://127.0.0.1:${port}`
  const back: unknown[] = []
  async function reading(): Promise<void> {
    for await (const line of linesMethods({ ...connection, baseUrl }).list()) back.push(line)
  }
  return { reading, back, server }
}

test('rejects when the response breaks off', async (t) => {
  const {
    reading,
    back,
    server: cut,
  } = await readFrom(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{"n":1}\n', () => response.destroy())
  })
  assert.match((await rejection(reading(), TenantryConnectionError)).message, /ended early/)
  assert.deepEqual(back, [{ n: 1 }])
  cut.close()
  await once(cut, 'close')
  assert.match((await rejection(reading(), TenantryConnectionError)).message, /ECONNREFUSED/)
})

test('rejects when the response ends without its last line, as behind a proxy that speaks HTTP/1.0', async (t) => {
  const { reading, back } = await readFrom(t, (_request, response) => {
    // Without a length and without chunks, the end of the connection ends the response.
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
    response.end('{"n":1}\n')
  })
  assert.match((await rejection(reading(), TenantryConnectionError)).message, /ended early/)
  assert.deepEqual(back, [{ n: 1 }])
})

test("rejects with the reason of the caller's signal", async () => {
  server.work.list = async function* () {
    for (let n = 0; ; n++) yield { n }
  }
  const reason = new Error('enough')
  const controller = new AbortController()
  const reading = (async () => {
    for await (const _ of client.list({ signal: controller.signal })) controller.abort(reason)
  })()
  await assert.rejects(reading, reason)
})

test('rejects a response that is not lines', async () => {
  const elsewhere: Connection['fetch'] = async () =>
    new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } })
  const lines = (text: string) => async () =>
    new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
  for (const [fetch, excerpt] of [
    [elsewhere, '<h1>Hello</h1>'],
    [lines('{"n":1}\n<oops>\n'), '<oops>'],
    [lines('{"n":1}\n{"n"'), '{"n"'],
  ] as const) {
    const error = await rejection(Array.fromAsync(linesMethods({ ...connection, fetch }).list()), TenantryAnswerError)
    assert.equal(error.excerpt, excerpt)
  }
})

test('names a redirect, which is not followed', async (t) => {
  const redirecting = createServer((_request, response) => response.writeHead(308, { location: '/elsewhere' }).end())
  const port = await listenOnLoopback(redirecting)
  t.after(() => redirecting.close().closeAllConnections())
  const redirected = linesMethods({ ...connection, baseUrl: `http://127.0.0.1:${port}` })
  for (const lines of [redirected.list(), redirected.exchange([{ n: 1 }]), redirected.exchange('{"n":1}')]) {
    const error = await rejection(Array.fromAsync(lines), TenantryConnectionError)
    assert.match(error.message, /responded with a redirect/)
  }
})
