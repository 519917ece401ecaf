import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ServiceError } from '../../../server/core/service-error.ts'
import { type LinesMethods, linesMethods } from '../../../test/support/http/lines-methods.ts'
import { type LinesServer, startLinesServer } from '../../../test/support/http/lines-server.ts'
import { memoryHeld } from '../../../test/support/memory-held.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { testAdminKey } from '../../../test/support/service.ts'
import type { Connection } from './call.ts'
import type { Lines, TenantryError } from './index.ts'

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

/** How many lines the server received. */
const receivedFrom = async ({ exchange }: LinesMethods, lines: Lines) =>
  (await Array.fromAsync(exchange(lines))).at(-1)?.received

test('sends many users in little memory and reads progress meanwhile', async () => {
  // The same number of bytes, whatever the number of users.
  const count = sampleSize(100_000, 20_000)
  const bio = 'x'.repeat(20_000_000 / count)
  let sent = 0
  async function* users() {
    for (; sent < count; sent++) yield { n: sent, email: `user-${sent}@example.com`, profile: { bio } }
  }
  const started = memoryHeld()
  let [most, firstAfter] = [started, 0]
  const back: unknown[] = []
  for await (const line of client.exchange(users(), { every: '1000' })) {
    if (back.push(line) === 1) firstAfter = sent
    if (back.length % 4 === 0) most = Math.max(most, memoryHeld())
  }
  assert.equal(back.length, count / 1000 + 1)
  assert.deepEqual(back[11], { received: 12_000 })
  assert.deepEqual(back.at(-1), { received: count, done: true })
  assert.ok(firstAfter < count / 5, `the first came after ${firstAfter}`)
  assert.ok(most - started < 16 * MiB, `${Math.round((most - started) / MiB)} MiB`)
})

test('sends objects, or serialised lines as a whole or in pieces', async (t) => {
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
  for (const [name, lines] of Object.entries(forms)) assert.equal(await receivedFrom(client, lines), 3, name)
  assert.equal(await receivedFrom(client, []), 0)
})

test('rejects with the error of the iterable of lines', async () => {
  const reason = new Error('the file has no such column')
  async function* failing() {
    yield { n: 1 }
    throw reason
  }
  await assert.rejects(Array.fromAsync(client.exchange(failing(), { every: '1' })), reason)
})

test('sends lines while the next one is pending', async () => {
  const back = Promise.withResolvers<void>()
  async function* talking() {
    yield { n: 1 }
    await back.promise
    yield { n: 2 }
  }
  const answer: unknown[] = []
  for await (const line of client.exchange(talking(), { every: '1' })) {
    answer.push(line)
    back.resolve()
  }
  assert.deepEqual(answer, [{ received: 1 }, { received: 2 }, { received: 2, done: true }])
})

test('rejects with an early error response and reads no further lines', async () => {
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
  const { code, status } = await Array.fromAsync(client.exchange(endless())).then(
    () => assert.fail('it resolved'),
    (error) => error as TenantryError,
  )
  assert.deepEqual([code, status], ['TENANT_NOT_FOUND', 404])
  await ended.promise
})

test('applies no timeout to calls with lines', async () => {
  async function* late() {
    await wait(60)
    yield { n: 1 }
  }
  assert.equal(await receivedFrom(linesMethods({ ...connection, timeoutMs: 20 }), late()), 1)
})

test('collects lines in a browser, which cannot send streams', async (t) => {
  Object.assign(globalThis, { location: { href: 'https://console.example.com/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  let body: unknown
  const watched: typeof fetch = (url, init) => {
    body = init?.body
    return fetch(url, init)
  }
  assert.equal(await receivedFrom(linesMethods({ ...connection, fetch: watched }), [{ n: 1 }, { n: 2 }]), 2)
  assert.ok(body instanceof Blob)
})
