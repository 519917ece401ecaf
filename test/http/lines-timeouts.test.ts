import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertRefusal } from '../support/http/envelope.ts'
import { type LinesServer, linesHeaders, send, startLinesServer } from '../support/http/lines-server.ts'
import { bytesOf, dial, exchange } from '../support/http/wire.ts'

/** The HTTP server uses real time. */
const timeouts = { headersMs: 300, requestMs: 500, checkIntervalMs: 50 }

let server: LinesServer
let url: string
let defaultWork: LinesServer['work']
before(async () => {
  server = await startLinesServer(timeouts)
  url = `${server.baseUrl}/admin/lines`
  defaultWork = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, defaultWork))

const wireHeaders: [string, string][] = Object.entries(linesHeaders)

test('lets a streamed body exceed the request timeout while data keeps arriving', async () => {
  async function* body() {
    for (let n = 0; n < 8; n++) {
      await wait(timeouts.requestMs / 4)
      yield `{"n":${n}}\n`
    }
  }
  const { lines, whole } = await send(`${url}?every=4`, body())
  assert.deepEqual(lines, [{ received: 4 }, { received: 8 }, { received: 8, done: true }])
  assert.ok(whole)
})

test('applies the usual timeout to the next request on that connection', async () => {
  async function* bytes() {
    const body = '{"n":1}\n{"n":2}\n'
    yield bytesOf({
      method: 'POST',
      path: '/admin/lines',
      headers: [...wireHeaders, ['content-length', `${body.length}`]],
    })
    yield body.slice(0, 8)
    await wait(timeouts.requestMs * 0.8)
    yield body.slice(8, 12)
    await wait(timeouts.requestMs * 0.8)
    yield body.slice(12)
    await wait(50)
    yield bytesOf({ method: 'POST', path: '/healthz', headers: [['content-length', '10']] })
  }
  const { answers, closed } = await exchange(server.baseUrl, bytes())
  assert.match(answers[0]!.text, /"done":true/)
  assert.deepEqual([answers[1]!.status, answers.length, closed], [404, 2, true])
})

test('does not time out a client while the handler is slow', async () => {
  server.work.exchange = async function* (lines) {
    for await (const { line } of lines) {
      await wait(timeouts.requestMs * 1.5)
      yield { line }
    }
    yield { done: true }
  }
  assert.deepEqual((await send(url, '{"n":1}\n{"n":2}\n')).lines, [{ line: 1 }, { line: 2 }, { done: true }])
})

test('answers 408 to a stalled body, or reports it as the last line and closes the connection', async () => {
  const half: [string, string][] = [...wireHeaders, ['content-length', '1000']]
  const bytes = (path: string) =>
    Buffer.concat([bytesOf({ method: 'POST', path, headers: half }), Buffer.from('{"n":1}\n{"n')])
  const { answers, closed: ended } = await exchange(server.baseUrl, bytes('/admin/lines'))
  assertRefusal(answers[0]!, 'REQUEST_TIMEOUT')
  assert.deepEqual([answers.length, ended], [1, true])

  const socket = dial(server.baseUrl)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes('/admin/lines?every=1'))
  await once(socket, 'close')
  const [first = '', second = ''] = text.split('\r\n').filter((line) => line.startsWith('{'))
  assert.deepEqual(JSON.parse(first), { received: 1 })
  assert.equal(JSON.parse(second).error.code, 'REQUEST_TIMEOUT')
  assert.doesNotMatch(text, /\r\n0\r\n/)
})
