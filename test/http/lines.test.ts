import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { calmly, counting, type LinesServer, linesHeaders, send, startLinesServer } from '../support/lines-server.ts'
import { memoryHeld } from '../support/memory-held.ts'
import { testAdminKey } from '../support/service.ts'
import { bytesOf, dial, exchange } from '../support/wire.ts'

const MiB = 1024 ** 2

let server: LinesServer
let url: string
let calm: LinesServer['work']
before(async () => {
  server = await startLinesServer({ ...calmly, unreadMs: 2_000 })
  url = `${server.baseUrl}/admin/lines`
  calm = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, calm))

const wireHeaders: [string, string][] = [
  ['authorization', `Bearer ${testAdminKey}`],
  ['content-type', 'application/x-ndjson'],
]

/** So many lines, some thousand to a piece. */
function* linesUp(count: number) {
  for (let n = 0; n < count; n += 1_000) {
    yield Array.from({ length: Math.min(1_000, count - n) }, (_, i) => `${JSON.stringify({ n: n + i })}\n`).join('')
  }
}

/** Resolves once the handler has come to its end, and how: what its `lines` threw, if they did. */
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

test('lines come back while others still go up, the last says that it is done', async () => {
  const back = Promise.withResolvers<void>()
  server.work.exchange = async function* (lines) {
    for await (const line of lines) yield line
    yield { done: true }
  }
  async function* body() {
    yield '{"n":1}\n{"n'
    setTimeout(back.resolve, 100)
    await back.promise
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

test('an answer of lines alone, also of none; HEAD has its head', async () => {
  server.work.list = async function* () {
    yield { n: 1 }
    yield { n: 2 }
  }
  const { authorization } = linesHeaders
  const response = await fetch(url, { headers: { authorization } })
  assert.deepEqual([response.status, await response.text()], [200, '{"n":1}\n{"n":2}\n'])
  server.work.list = async function* () {}
  assert.equal(await (await fetch(url, { headers: { authorization } })).text(), '')
  let asked = false
  server.work.list = async function* () {
    asked = true
    yield {}
  }
  const head = await fetch(url, { method: 'HEAD', headers: { authorization } })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/x-ndjson'])
  assert.equal(asked, false)
})

test('lines of a body may have one answer, in its envelope; no body has no lines', async () => {
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

test('a line without end is thrown away as it comes, and the lines after it are read', async () => {
  const much = Buffer.alloc(MiB, 'x')
  const started = memoryHeld()
  let most = 0
  function* body() {
    yield '{"n":1}\n'
    for (let sent = 0; sent < 60; sent++) {
      yield much
      if (sent % 25 === 0) most = Math.max(most, memoryHeld() - started)
    }
    yield '\n{"n":2}\n'
  }
  const { lines } = await send(url, body())
  assert.deepEqual(lines, [{ received: 2, done: true }])
  assert.ok(most < 32 * MiB, `${Math.round(most / MiB)} MiB`)
})

test('who sends all before reading anything gets it all, though no socket could hold it', async () => {
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

test('who reads nothing at all is cut off in the end, having cost little memory', async () => {
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

test('who goes away in the middle ends the reading, and nobody calls it an error', async () => {
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

test('who goes away in the middle of an answer ends its making', async () => {
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

test('closing waits for lines under way, and then for nobody', async () => {
  const other = await startLinesServer()
  const going = Promise.withResolvers<void>()
  other.work.exchange = async function* (lines) {
    going.resolve()
    await wait(100)
    yield* counting(lines, 1)
  }
  const response = fetch(`${other.baseUrl}/admin/lines`, {
    method: 'POST',
    headers: linesHeaders,
    body: '{"n":1}\n{"n":2}\n',
  })
  await going.promise
  const started = performance.now()
  const closed = other.close()
  assert.match(await (await response).text(), /\{"received":2,"done":true\}\n$/)
  await closed
  assert.ok(performance.now() - started < 3_000)
})
