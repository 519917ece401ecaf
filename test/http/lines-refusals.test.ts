import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { ServiceError } from '../../server/core/service-error.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import {
  counting,
  exchangeLines,
  type LinesServer,
  linesHeaders,
  send,
  startLinesServer,
} from '../support/http/lines-server.ts'
import { bytesOf, dial, exchange, send as sendOnce } from '../support/http/wire.ts'

let server: LinesServer
let url: string
let defaultWork: LinesServer['work']
before(async () => {
  server = await startLinesServer()
  url = `${server.baseUrl}/admin/lines`
  defaultWork = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, defaultWork))

const { authorization } = linesHeaders
const type = ['content-type', 'application/x-ndjson'] as const
const admin = ['authorization', authorization] as const

/** Resolves when the connection has closed, with or without an error. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()))

/** Asserts that the request is rejected without running the handler. */
async function refusedBeforeTheBody(
  request: Parameters<typeof bytesOf>[0],
  ...refusal: [Parameters<typeof assertRefusal>[1], Record<string, string>?]
) {
  let handlerRan = false
  server.work.exchange = (lines, every) => {
    handlerRan = true
    return counting(lines, every)
  }
  const { answers } = await exchange(server.baseUrl, bytesOf({ method: 'POST', path: '/admin/lines', ...request }), {
    until: 1,
  })
  assertRefusal(answers[0]!, ...refusal)
  assert.equal(handlerRan, false)
}

test('runs the request checks before reading the body', async () => {
  const half = [['content-length', '1000'], type] as const
  await refusedBeforeTheBody({ headers: half }, 'MISSING_ADMIN_KEY')
  await refusedBeforeTheBody({ headers: [...half, ['authorization', 'Bearer unknown']] }, 'INVALID_ADMIN_KEY')
})

test('accepts NDJSON under each of its media types, without content encoding', async () => {
  const body = '{"n":1}\n'
  const refused = ['application/json', 'text/plain', 'application/x-ndjson; charset=latin1', 'application/json-seq', '']
  for (const name of refused)
    await refusedBeforeTheBody({ headers: [admin, ['content-type', name]], body }, 'UNSUPPORTED_MEDIA_TYPE')
  await refusedBeforeTheBody({ headers: [admin], body }, 'UNSUPPORTED_MEDIA_TYPE')
  await refusedBeforeTheBody({ headers: [admin, type, type], body }, 'UNSUPPORTED_MEDIA_TYPE')
  await refusedBeforeTheBody({ headers: [admin, type, ['content-encoding', 'gzip']], body }, 'UNSUPPORTED_MEDIA_TYPE')
  for (const name of ['application/x-ndjson; charset=UTF-8', 'application/ndjson', 'APPLICATION/JSONL']) {
    const { lines } = await send(url, body, { 'content-type': name })
    assert.deepEqual(lines, [{ received: 1, done: true }], name)
  }
})

test('rejects NDJSON on other operations', async () => {
  const answer = await sendOnce(server.baseUrl, {
    method: 'POST',
    path: '/admin/lines/none',
    headers: [admin, type],
    body: '{}',
  })
  assertRefusal(answer, 'NOT_FOUND')
})

test('rejects a body whose Content-Length is too large without reading it', async () => {
  const length = String(exchangeLines.maxBodyBytes + 1)
  await refusedBeforeTheBody({ headers: [admin, type, ['content-length', length]] }, 'PAYLOAD_TOO_LARGE')
})

/** A body of long lines that exceeds the limit. */
function* tooMuch() {
  const lines = Buffer.from(`{"n":1,"padding":"${'x'.repeat(65_000)}"}\n`.repeat(20))
  for (let sent = 0; sent <= exchangeLines.maxBodyBytes; sent += lines.length) yield lines
}

test('rejects a body without a length where it exceeds the limit', async () => {
  server.work.exchange = async function* (lines) {
    for await (const _ of lines);
    yield { done: true }
  }
  const beforeFirstLine = await send(url, tooMuch())
  assert.equal(beforeFirstLine.status, 413)
  assert.equal(beforeFirstLine.lines[0].error.code, 'PAYLOAD_TOO_LARGE')

  server.work.exchange = (lines) => counting(lines, 1_000)
  const afterFirstLine = await send(url, tooMuch())
  assert.equal(afterFirstLine.status, 201)
  assert.deepEqual(afterFirstLine.lines.at(-2), { received: 1_000 })
  const { error, meta } = afterFirstLine.lines.at(-1)
  assert.deepEqual(
    [error.code, error.status, meta.requestId],
    ['PAYLOAD_TOO_LARGE', 413, afterFirstLine.headers['x-request-id']],
  )
  assert.equal(afterFirstLine.whole, false)
})

test('lets a handler report an oversized body itself and end normally', async () => {
  server.work.exchange = async function* (lines) {
    try {
      for await (const { line } of lines) if (line === 1) yield { line }
    } catch (error) {
      yield { stopped: (error as ServiceError).code }
    }
  }
  const { lines, whole } = await send(url, tooMuch())
  assert.deepEqual([lines, whole], [[{ line: 1 }, { stopped: 'PAYLOAD_TOO_LARGE' }], true])
})

test('ends a body with malformed chunks at once, before and after the first line', async () => {
  const head = (path: string) =>
    bytesOf({ method: 'POST', path, headers: [admin, type, ['transfer-encoding', 'chunked']] })
  const broken = '8\r\n{"n":1}\n\r\nno chunk\r\n'
  const { answers } = await exchange(server.baseUrl, Buffer.concat([head('/admin/lines'), Buffer.from(broken)]))
  assertRefusal(answers[0]!, 'BAD_REQUEST')

  const ended = Promise.withResolvers<void>()
  server.work.exchange = async function* (lines, every) {
    try {
      yield* counting(lines, every)
    } finally {
      ended.resolve()
    }
  }
  const socket = dial(server.baseUrl)
  socket.write(Buffer.concat([head('/admin/lines?every=1'), Buffer.from(broken.slice(0, 13))]))
  await once(socket, 'data')
  const started = performance.now()
  socket.write(broken.slice(13))
  await ended.promise
  // Sooner than the timeout of a stalled body.
  assert.ok(performance.now() - started < 1_500)
})

test('answers an error before the first line in the envelope and keeps the connection open', async () => {
  const body = '{"n":1}\n'.repeat(40_000)
  const request = bytesOf({ method: 'POST', path: '/admin/lines', headers: [admin, type], body })
  for (const read of [0, 1, 10_000]) {
    server.work.exchange = async function* (lines) {
      for await (const { line } of lines) if (line > read) throw new ServiceError('TENANT_NOT_FOUND')
      yield {}
    }
    const { answers } = await exchange(server.baseUrl, Buffer.concat([request, request]), { until: 2 })
    for (const answer of answers) assertRefusal(answer, 'TENANT_NOT_FOUND')
    assert.equal(answers.length, 2, `${read}`)
  }
})

test('closes the connection of a client that keeps sending after the answer is complete', async () => {
  server.work.exchange = async function* () {
    yield { done: true }
  }
  const socket = dial(server.baseUrl)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(
    bytesOf({ method: 'POST', path: '/admin/lines', headers: [admin, type, ['content-length', '60000000']] }),
  )
  const dripping = setInterval(() => socket.write('{"n":1}\n'), 20)
  await closed(socket)
  clearInterval(dripping)
  assert.match(text, /\{"done":true\}\n\r\n0\r\n\r\n$/)
})

test('reports an unexpected error as the last line and logs its cause', async () => {
  server.work.list = async function* () {
    yield { n: 1 }
    throw Object.assign(new Error('storage failed'), { bound: 'canary' })
  }
  const logged = server.log.length
  const socket = dial(server.baseUrl)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytesOf({ path: '/admin/lines', headers: [admin] }))
  await closed(socket)
  assert.match(text, /\{"n":1\}\n/)
  assert.match(text, /"code":"INTERNAL_SERVER"/)
  assert.doesNotMatch(text, /\r\n0\r\n|storage failed/)
  const lines = server.log.slice(logged).join('')
  assert.match(lines, /storage failed/)
  assert.doesNotMatch(lines, /canary/)
})

test('closes the connection after an aborted answer even if the client never closes its side', async () => {
  const other = await startLinesServer()
  other.work.list = async function* () {
    yield { n: 1 }
    throw new ServiceError('UNEXPECTED_STATE')
  }
  const { hostname, port } = new URL(other.baseUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).resume()
  socket.write(bytesOf({ path: '/admin/lines', headers: [admin] }))
  await once(socket, 'end')
  const started = performance.now()
  await other.close()
  assert.ok(performance.now() - started < 3_000)
  socket.destroy()
})
