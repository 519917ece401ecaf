import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  calmly,
  counting,
  type LinesServer,
  linesHeaders,
  send,
  startLinesServer,
} from '../support/http/lines-server.ts'
import { bytesOf, dial, exchange } from '../support/http/wire.ts'
import { memoryHeld } from '../support/memory-held.ts'
import { testAdminKey } from '../support/service.ts'

const MiB = 1024 ** 2

let server: LinesServer
let url: string
let defaultWork: LinesServer['work']
before(async () => {
  server = await startLinesServer({ ...calmly, unreadMs: 2_000 })
  url = `${server.baseUrl}/admin/lines`
  defaultWork = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, defaultWork))

const wireHeaders: [string, string][] = [
  ['authorization', `Bearer ${testAdminKey}`],
  ['content-type', 'application/x-ndjson'],
]

/** `count` lines in chunks of up to a thousand. */
function* linesUp(count: number) {
  for (let n = 0; n < count; n += 1_000) {
    yield Array.from({ length: Math.min(1_000, count - n) }, (_, i) => `${JSON.stringify({ n: n + i })}\n`).join('')
  }
}

/** Resolves when the handler ends, with the error that its `lines` threw, if any. */
function watchEnd() {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  server.work.exchange = async function* (lines, every) {
    let thrown: unknown
    try {
      yield* counting(lines, every)
    } catch (error) {
      thrown = error
      throw error
    } finally {
      resolve(thrown)
    }
  }
  return promise
}

test('sends lines while the body is still being received', async () => {
  const firstLineSent = Promise.withResolvers<void>()
  server.work.exchange = async function* (lines) {
    for await (const line of lines) yield line
    yield { done: true }
  }
  async function* body() {
    yield '{"n":1}\n{"n'
    setTimeout(firstLineSent.resolve, 100)
    await firstLineSent.promise
    yield '":2}\n'
  }
  const { status, headers, lines, whole } = await send(url, body())
  assert.equal(status, 201)
  assert.deepEqual(lines, [{ line: 1, value: { n: 1 } }, { line: 2, value: { n: 2 } }, { done: true }])
  assert.ok(whole)
  assert.equal(headers['content-type'], 'application/x-ndjson')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.match(headers['x-request-id'] as string, /^[0-9A-Z]{26}$/)
})

test('streams an answer of lines, an empty answer, and the headers for HEAD', async () => {
  server.work.list = async function* () {
    yield { n: 1 }
    yield { n: 2 }
  }
  const { authorization } = linesHeaders
  const response = await fetch(url, { headers: { authorization } })
  assert.deepEqual([response.status, await response.text()], [200, '{"n":1}\n{"n":2}\n'])
  server.work.list = async function* () {}
  assert.equal(await (await fetch(url, { headers: { authorization } })).text(), '')
  let handlerRan = false
  server.work.list = async function* () {
    handlerRan = true
    yield {}
  }
  const head = await fetch(url, { method: 'HEAD', headers: { authorization } })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/x-ndjson'])
  assert.equal(handlerRan, false)
})

test('answers a body of lines with one envelope and treats an empty body as no lines', async () => {
  const { status, lines } = await send(`${url}/count`, linesUp(2_500))
  assert.deepEqual([status, lines[0].data], [200, { received: 2_500 }])
  const [empty] = (
    await exchange(
      server.baseUrl,
      bytesOf({ method: 'POST', path: '/admin/lines/count', headers: [wireHeaders[0]!] }),
      { until: 1 },
    )
  ).answers
  assert.deepEqual((empty!.json() as { data: unknown }).data, { received: 0 })
})

test('discards an oversized line without buffering it and reads the lines after it', async () => {
  const chunk = Buffer.alloc(MiB, 'x')
  const started = memoryHeld()
  let most = 0
  function* body() {
    yield '{"n":1}\n'
    for (let sent = 0; sent < 60; sent++) {
      yield chunk
      if (sent % 25 === 0) most = Math.max(most, memoryHeld() - started)
    }
    yield '\n{"n":2}\n'
  }
  const { lines } = await send(url, body())
  assert.deepEqual(lines, [{ received: 2, done: true }])
  assert.ok(most < 32 * MiB, `${Math.round(most / MiB)} MiB`)
})

test('answers in full a client that sends everything before it reads', async () => {
  const socket = dial(server.baseUrl)
  server.work.exchange = async function* (lines) {
    for await (const { value } of lines) yield { ...value }
    yield { done: true }
  }
  const line = `${JSON.stringify({ n: 1, padding: 'x'.repeat(400) })}\n`
  const body = line.repeat(30_000)
  const request = bytesOf({ method: 'POST', path: '/admin/lines', headers: wireHeaders, body })
  socket.pause()
  await new Promise<void>((sent) => socket.write(request, () => sent()))
  let received = 0
  let tail = ''
  socket.on('data', (chunk) => {
    received += chunk.length
    tail = (tail + chunk.toString('latin1')).slice(-40)
    if (tail.endsWith('0\r\n\r\n')) socket.end()
  })
  socket.resume()
  await once(socket, 'close')
  assert.match(tail, /\{"done":true\}\n\r\n0\r\n\r\n$/)
  assert.ok(received > body.length)
})

test('closes the connection of a client that never reads, with bounded memory', async () => {
  const { promise: grown, resolve } = Promise.withResolvers<number>()
  const padding = 'x'.repeat(8_000)
  const started = memoryHeld()
  server.work.exchange = async function* (body) {
    try {
      for await (const { line } of body) yield { line, padding }
    } finally {
      resolve(memoryHeld() - started)
    }
  }
  const socket = dial(server.baseUrl).on('error', () => {})
  socket.pause()
  const headers = [...wireHeaders, ['content-length', '60000000'] as const]
  socket.write(bytesOf({ method: 'POST', path: '/admin/lines', headers }))
  for (const piece of linesUp(100_000)) socket.write(piece)
  const growth = await grown
  assert.ok(growth < 40 * MiB, `${Math.round(growth / MiB)} MiB`)
  socket.destroy()
})

test('stops reading when the client disconnects and logs no error', async () => {
  const ending = watchEnd()
  const socket = dial(server.baseUrl)
  socket.write(
    bytesOf({ method: 'POST', path: '/admin/lines?every=1', headers: [...wireHeaders, ['content-length', '1000']] }),
  )
  socket.write('{"n":1}\n')
  await once(socket, 'data')
  const logged = server.log.length
  socket.destroy()
  assert.equal(((await ending) as { code: string }).code, 'ECONNRESET')
  await wait(20)
  assert.deepEqual(server.log.slice(logged), [])
})

test('stops producing lines when the client disconnects during the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.work.list = async function* () {
    try {
      for (let n = 0; ; n++) yield { n }
    } finally {
      resolve()
    }
  }
  const socket = dial(server.baseUrl)
  socket.write(bytesOf({ path: '/admin/lines', headers: wireHeaders }))
  await once(socket, 'data')
  socket.destroy()
  await promise
})

test('waits on shutdown for a stream in progress and then closes', async () => {
  const other = await startLinesServer()
  const handlerStarted = Promise.withResolvers<void>()
  other.work.exchange = async function* (lines) {
    handlerStarted.resolve()
    await wait(100)
    yield* counting(lines, 1)
  }
  const response = fetch(`${other.baseUrl}/admin/lines`, {
    method: 'POST',
    headers: linesHeaders,
    body: '{"n":1}\n{"n":2}\n',
  })
  await handlerStarted.promise
  const started = performance.now()
  const closed = other.close()
  assert.match(await (await response).text(), /\{"received":2,"done":true\}\n$/)
  await closed
  assert.ok(performance.now() - started < 3_000)
})
