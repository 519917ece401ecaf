import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ServiceError } from '../server/service-error.ts'
import {
  type countLines,
  type exchangeLines,
  type LinesServer,
  type listLines,
  startLinesServer,
} from '../test/lines-ground.ts'
import { memoryHeld } from '../test/memory-held.ts'
import { testAdminKey } from '../test/service.ts'
import { type Connection, call, callForLines } from './call.ts'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from './client.ts'
import type { Method } from './methods.ts'
import type { RouteOf } from './routes.ts'

const MiB = 1024 ** 2

const exchanging: RouteOf<typeof exchangeLines> = {
  method: 'POST',
  path: '/admin/lines',
  auth: 'admin',
  takes: 'lines, query',
  gives: 'lines',
}
const counting: RouteOf<typeof countLines> = {
  method: 'POST',
  path: '/admin/lines/count',
  auth: 'admin',
  takes: 'lines',
}
const listing: RouteOf<typeof listLines> = { method: 'GET', path: '/admin/lines', auth: 'admin', gives: 'lines' }

let server: LinesServer
let connection: Connection
let calm: LinesServer['work']
before(async () => {
  server = await startLinesServer()
  connection = { baseUrl: server.baseUrl, adminKey: testAdminKey }
  calm = { ...server.work }
})
after(() => server.close())
beforeEach(() => void Object.assign(server.work, calm))

/** The methods as a client would have them. */
const exchange: Method<typeof exchangeLines> = (...args) => callForLines(connection, exchanging, args) as never
const count: Method<typeof countLines> = (...args) => call(connection, counting, args) as never
const list: Method<typeof listLines> = (...args) => callForLines(connection, listing, args) as never

const rejection = <E extends Error>(work: Promise<unknown>, type: new (...args: never[]) => E): Promise<E> =>
  work.then(
    () => assert.fail('it resolved'),
    (error) => {
      assert.ok(error instanceof type, `${error}`)
      return error
    },
  )

describe('lines to send', () => {
  test('100,000 users go up in little memory, with a line of progress for every thousand on the way', async () => {
    let sent = 0
    async function* users() {
      for (; sent < 100_000; sent++)
        yield { n: sent, email: `user-${sent}@example.com`, profile: { bio: 'x'.repeat(200) } }
    }
    const started = memoryHeld()
    let [most, firstAfter] = [started, 0]
    const back: unknown[] = []
    for await (const line of exchange(users(), { every: '1000' })) {
      if (back.push(line) === 1) firstAfter = sent
      if (back.length % 20 === 0) most = Math.max(most, memoryHeld())
    }
    assert.equal(back.length, 101)
    assert.deepEqual(back[41], { received: 42_000 })
    assert.deepEqual(back.at(-1), { received: 100_000, done: true })
    assert.ok(firstAfter < 20_000, `the first came after ${firstAfter}`)
    assert.ok(most - started < 16 * MiB, `${Math.round((most - started) / MiB)} MiB`)
  })

  test('are objects, or lines already, whole or in pieces', async (t) => {
    const text = '{"n":1}\n{"n":2}\n{"n":3}'
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-lines-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'lines.ndjson')
    await writeFile(path, text)
    const objects = [{ n: 1 }, { n: 2 }, { n: 3 }]
    async function* late() {
      yield* objects
    }
    const forms = {
      objects,
      late: late(),
      text,
      bytes: new TextEncoder().encode(text),
      file: new Blob([text]),
      'stream of a file': new Blob([text]).stream(),
      'file of Node': createReadStream(path, { highWaterMark: 5 }),
      'pieces of text': [text.slice(0, 10), text.slice(10)],
    }
    for (const [name, lines] of Object.entries(forms)) assert.deepEqual(await count(lines), { received: 3 }, name)
    assert.deepEqual(await count([]), { received: 0 })
  })

  test('that fail by themselves fail the call with their own error', async () => {
    const reason = new Error('the file has no such column')
    async function* failing() {
      yield { n: 1 }
      throw reason
    }
    await assert.rejects(count(failing()), reason)
    await assert.rejects(Array.fromAsync(exchange(failing(), { every: '1' })), reason)
  })

  test('go on their way though the next is long in coming', async () => {
    const back = Promise.withResolvers<void>()
    async function* talking() {
      yield { n: 1 }
      await back.promise
      yield { n: 2 }
    }
    const answer: unknown[] = []
    for await (const line of exchange(talking(), { every: '1' })) {
      answer.push(line)
      back.resolve()
    }
    assert.deepEqual(answer, [{ received: 1 }, { received: 2 }, { received: 2, done: true }])
  })

  test('a refusal before they are all sent is what the call rejects with, and the rest is not asked for', async () => {
    const ended = Promise.withResolvers<void>()
    async function* endless() {
      try {
        for (let n = 0; ; n++) yield { n }
      } finally {
        ended.resolve()
      }
    }
    server.work.exchange = async function* (lines) {
      for await (const { line } of lines) if (line === 100) throw new ServiceError('TENANT_NOT_FOUND')
      yield {}
    }
    const { code, status } = await rejection(Array.fromAsync(exchange(endless())), TenantryError)
    assert.deepEqual([code, status], ['TENANT_NOT_FOUND', 404])
    await ended.promise
  })
})

describe('lines of an answer', () => {
  test('come one by one, none of them before they are asked for', async () => {
    const lines = list()
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = false
    server.work.list = async function* () {
      asked = true
      yield { n: 1 }
      await promise
      yield { n: 2 }
    }
    assert.equal(asked, false)
    const back: unknown[] = []
    for await (const line of lines) {
      back.push(line)
      resolve()
    }
    assert.deepEqual(back, [{ n: 1 }, { n: 2 }])
  })

  test('50,000 of them, in little memory', async () => {
    server.work.list = async function* () {
      for (let n = 0; n < 50_000; n++) yield { n, padding: 'x'.repeat(200) }
    }
    const started = memoryHeld()
    let [received, most] = [0, started]
    for await (const _ of list()) if (received++ % 10_000 === 0) most = Math.max(most, memoryHeld())
    assert.equal(received, 50_000)
    assert.ok(most - started < 16 * MiB, `${Math.round((most - started) / MiB)} MiB`)
  })

  test('nobody asks for more: the making of them ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.work.list = async function* () {
      try {
        for (let n = 0; ; n++) yield { n }
      } finally {
        resolve()
      }
    }
    const started = performance.now()
    for await (const _ of list()) break
    await promise
    assert.ok(performance.now() - started < 10_000)
  })

  test('a refusal on the way comes after the lines before it', async () => {
    server.work.list = async function* () {
      yield { n: 1 }
      throw new ServiceError('UNEXPECTED_STATE')
    }
    const back: unknown[] = []
    const reading = (async () => {
      for await (const line of list()) back.push(line)
    })()
    const { code, status, requestId } = await rejection(reading, TenantryError)
    assert.deepEqual([code, status, back], ['UNEXPECTED_STATE', 500, [{ n: 1 }]])
    assert.match(requestId, /^[0-9A-Z]{26}$/)
  })

  test('an answer that breaks off is no end', async () => {
    const cut = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"n":1}\n', () => response.destroy())
    })
    cut.listen(0, '127.0.0.1')
    await once(cut, 'listening')
    const baseUrl = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`
    const back: unknown[] = []
    const reading = async () => {
      for await (const line of callForLines({ ...connection, baseUrl }, listing, [])) back.push(line)
    }
    assert.match((await rejection(reading(), TenantryConnectionError)).message, /broke off/)
    assert.deepEqual(back, [{ n: 1 }])
    cut.close()
    await once(cut, 'close')
    assert.match((await rejection(reading(), TenantryConnectionError)).message, /ECONNREFUSED/)
  })

  test("the caller's signal ends it with its own reason", async () => {
    server.work.list = async function* () {
      for (let n = 0; ; n++) yield { n }
    }
    const reason = new Error('enough')
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of list({ signal: controller.signal })) controller.abort(reason)
    })()
    await assert.rejects(reading, reason)
  })

  test('what is no answer of lines is no answer', async () => {
    const elsewhere: Connection['fetch'] = async () =>
      new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } })
    const lines = (text: string) => async () =>
      new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
    for (const [fetch, excerpt] of [
      [elsewhere, '<h1>Hello</h1>'],
      [lines('{"n":1}\n<oops>\n'), '<oops>'],
      [lines('{"n":1}\n{"n"'), '{"n"'],
    ] as const) {
      const error = await rejection(
        Array.fromAsync(callForLines({ ...connection, fetch }, listing, [])),
        TenantryAnswerError,
      )
      assert.equal(error.excerpt, excerpt)
    }
  })
})
