import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { errors } from '../contract/errors.ts'
import { TenantryConnectionError } from '../packages/client/src/admin.ts'
import { listenOnLoopback } from '../test/support/loopback.ts'
import { readEvents } from './event-stream.ts'
import { CommandFailure } from './terminal/terminal.ts'

/** Reads a stream from a server that answers with this status and body. */
async function readFrom(t: TestContext, status: number, body: string): Promise<unknown> {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  const port = await listenOnLoopback(server)
  t.after(() => server.close())
  const url = new URL(`http://127.0.0.1:${port}`)
  const { signal } = new AbortController()
  return Array.fromAsync(readEvents(url, { headers: {}, signal, onOpen: () => {} }))
}
const failure = (code: keyof typeof errors) => JSON.stringify({ error: { code, ...errors[code] } })

test('reads a line of data as the server writes it, with what else ends lines in texts', async (t) => {
  const data = JSON.stringify({ text: 'one\r\ntwo\u0085three\u2028four\u2029' })
  const id = '01M7YRQNCSESKNDNW73532ZP9R'
  assert.deepEqual(await readFrom(t, 200, `: open\n\nid: ${id}\nevent: event\ndata: ${data}\n\n`), [{ id, data }])
})

test('a damaged log ends following, and says what an operator can do', async (t) => {
  const { status, message } = errors.EVENT_LOG_DAMAGED
  await assert.rejects(readFrom(t, status, failure('EVENT_LOG_DAMAGED')), new CommandFailure(message))
})

test('a server or proxy that cannot answer is asked again', async (t) => {
  for (const body of [failure('SERVICE_UNAVAILABLE'), failure('INTERNAL_SERVER'), 'Bad gateway', 'null', ''])
    await assert.rejects(readFrom(t, 502, body), TenantryConnectionError, body)
})

test('any other refusal ends following', async (t) => {
  await assert.rejects(readFrom(t, 404, failure('TENANT_NOT_FOUND')), CommandFailure)
})

test('follows no redirect: the key and the place in the log are for this server', async (t) => {
  const asked: unknown[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.writeHead(url === '/' ? 307 : 200, { location: '/elsewhere' }).end()
  })
  const url = new URL(`http://127.0.0.1:${await listenOnLoopback(server)}`)
  t.after(() => server.close())
  const reading = Array.fromAsync(readEvents(url, { headers: {}, signal: new AbortController().signal, onOpen() {} }))
  await assert.rejects(reading, TenantryConnectionError)
  assert.deepEqual(asked, ['/'])
})

test('a stream that is silent for 45 seconds has broken off', async (t) => {
  const { promise: open, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => resolve(response.writeHead(200)))
  const url = new URL(`http://127.0.0.1:${await listenOnLoopback(server)}`)
  t.after(() => server.close().closeAllConnections())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const events = readEvents(url, { headers: {}, signal: new AbortController().signal, onOpen() {} })
  const first = events.next()
  ;(await open).write('id: 1\ndata: {}\n\n')
  t.mock.timers.tick(44_999)
  assert.deepEqual(await first, { done: false, value: { id: '1', data: '{}' } })
  const next = events.next()
  t.mock.timers.tick(1)
  await assert.rejects(next, TenantryConnectionError)
})
