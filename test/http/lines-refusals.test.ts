import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { ServiceError } from '../../server/core/service-error.ts'
import { assertRefusal } from '../support/envelope.ts'
import {
  counting,
  exchangeLines,
  type LinesServer,
  linesHeaders,
  send,
  startLinesServer,
} from '../support/lines-server.ts'
import { bytesOf, dial, exchange, send as sendOnce } from '../support/wire.ts'

let server: LinesServer
let url: string
let calm: LinesServer['work']
before(async () => {
  server = await startLinesServer()
  url = `${server.baseUrl}/admin/lines`
  calm = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, calm))

const { authorization } = linesHeaders
const type = ['content-type', 'application/x-ndjson'] as const
const admin = ['authorization', authorization] as const

/** The connection has ended, well or not. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()))

/** Asserts that the handler never ran while this is refused so. */
async function refusedBeforeTheBody(
  request: Parameters<typeof bytesOf>[0],
  ...told: [Parameters<typeof assertRefusal>[1], Record<string, string>?]
) {
  let asked = false
  server.work.exchange = (lines, every) => {
    asked = true
    return counting(lines, every)
  }
  const { answers } = await exchange(server.baseUrl, bytesOf({ method: 'POST', path: '/admin/lines', ...request }), {
    until: 1,
  })
  assertRefusal(answers[0]!, ...told)
  assert.equal(asked, false)
}

test('the request checks come before the body', async () => {
  const half = [['content-length', '1000'], type] as const
  await refusedBeforeTheBody({ headers: half }, 'MISSING_ADMIN_KEY')
  await refusedBeforeTheBody({ headers: [...half, ['authorization', 'Bearer nobody']] }, 'INVALID_ADMIN_KEY')
})

test('only lines are taken, under each of their names, without content encoding', async () => {
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

test('other operations take no lines', async () => {
  const answer = await sendOnce(server.baseUrl, {
    method: 'POST',
    path: '/admin/lines/none',
    headers: [admin, type],
    body: '{}',
  })
  assertRefusal(answer, 'NOT_FOUND')
})

test('a body that says that it is too large is refused unread', async () => {
  const length = String(exchangeLines.maxBodyBytes + 1)
  await refusedBeforeTheBody({ headers: [admin, type, ['content-length', length]] }, 'PAYLOAD_TOO_LARGE')
})

/** Long lines, more of them than are taken. */
function* tooMuch() {
  const lines = Buffer.from(`{"n":1,"padding":"${'x'.repeat(65_000)}"}\n`.repeat(20))
  for (let sent = 0; sent <= exchangeLines.maxBodyBytes; sent += lines.length) yield lines
}

test('a body that turns out too large is refused where it does', async () => {
  server.work.exchange = async function* (lines) {
    for await (const _ of lines);
    yield { done: true }
  }
  const unanswered = await send(url, tooMuch())
  assert.equal(unanswered.status, 413)
  assert.equal(unanswered.lines[0].error.code, 'PAYLOAD_TOO_LARGE')

  server.work.exchange = (lines) => counting(lines, 1_000)
  const answered = await send(url, tooMuch())
  assert.equal(answered.status, 201)
  assert.deepEqual(answered.lines.at(-2), { received: 1_000 })
  const { error, meta } = answered.lines.at(-1)
  assert.deepEqual(
    [error.code, error.status, meta.requestId],
    ['PAYLOAD_TOO_LARGE', 413, answered.headers['x-request-id']],
  )
  assert.equal(answered.whole, false)
})

test('a handler may say it in its own words, and end well', async () => {
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

test('a body whose framing breaks ends at once, answered or not', async () => {
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
  // Not only when a body that stalls would be given up.
  assert.ok(performance.now() - started < 1_500)
})

test('what a handler refuses before its first line is an envelope, and who still sends may go on', async () => {
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

test('who was answered before the end and sends for ever is cut off', async () => {
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

test('what nobody expected is the last line, without its cause, and the log knows more', async () => {
  server.work.list = async function* () {
    yield { n: 1 }
    throw Object.assign(new Error('the storage went'), { bound: 'canary' })
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
  assert.doesNotMatch(text, /\r\n0\r\n|storage went/)
  const told = server.log.slice(logged).join('')
  assert.match(told, /the storage went/)
  assert.doesNotMatch(told, /canary/)
})

test('whose answer breaks off, and who never closes its side, does not hold the connection open', async () => {
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
