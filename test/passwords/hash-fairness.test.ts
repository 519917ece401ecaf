import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { createPasswordHasher, type PasswordHasherOptions } from '../../server/passwords/password-hasher.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A hash takes a few milliseconds, so that a queue builds up. */
const start = (options: PasswordHasherOptions = {}) =>
  startTestService({
    hasher: createPasswordHasher({ memoryKiB: 4096, passes: 2, concurrency: 2, ...options }),
    // The test process reads and writes both ends, which may exceed the default request timeouts.
    timeouts: { headersMs: 110_000, requestMs: 110_000, checkIntervalMs: 1_000 },
  })

const signIn = (service: TestService, { key }: TestTenant, email: string, password = 'wrong') =>
  request(service, 'POST /auth/sign-in', { key, body: { method: 'password', email, password } })

/** The bytes of a sign-in request with a wrong password. */
function signInBytes({ key }: TestTenant, email: string): string {
  const body = JSON.stringify({ method: 'password', email, password: 'wrong' })
  const fields = { host: 'x', 'x-tenant-key': key, 'content-type': 'application/json', 'content-length': body.length }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /auth/sign-in HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

interface Connection {
  readonly socket: Socket
  /** Everything the server has sent. */
  received(): string
}

/** Opens connections in waves, because the kernel's backlog would overflow otherwise. */
async function openConnections({ baseUrl }: TestService, count: number): Promise<Connection[]> {
  const { hostname, port } = new URL(baseUrl)
  const open = async () => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += bytes
    })
    await once(socket, 'connect')
    return { socket, received: () => received }
  }
  const connections: Connection[] = []
  while (connections.length < count) {
    const wave = Math.min(50, count - connections.length)
    connections.push(...(await Promise.all(Array.from({ length: wave }, open))))
  }
  return connections
}

const connectionCount = sampleSize(1_100, 300)

test(`does not delay another tenant during ${2 * connectionCount} sign-ins over ${connectionCount} connections`, async () => {
  await using service = await start()
  const [busy, other] = [await service.addTenant(), await service.addTenant()]
  const [target, person] = [await addPerson(service, busy), await addPerson(service, other)]
  const { hasher } = service.service.services
  const before = hasher.verifies
  const connections = await openConnections(service, connectionCount)
  const bytes = signInBytes(busy, target.email)
  for (const { socket } of connections) socket.write(bytes + bytes)
  await until(() => hasher.waiting > 100)

  const verifiesBefore = hasher.verifies
  const answer = await signIn(service, other, person.email, person.password)
  assertServed(answer, 201)
  // It takes turns with the burst; waiting for the whole burst would take hundreds of hashes.
  const overtaken = hasher.verifies - verifiesBefore
  assert.ok(overtaken < 100, `${overtaken} hashes of the burst ran first`)

  const received = () => connections.map((connection) => connection.received()).join('')
  const count = (pattern: RegExp) => received().match(pattern)?.length ?? 0
  await until(() => count(/HTTP\/1\.1 \d+/g) === 2 * connectionCount, 100_000)
  const [compared, refused] = [count(/HTTP\/1\.1 401 /g), count(/HTTP\/1\.1 503 /g)]
  assert.equal(compared + refused, 2 * connectionCount)
  assert.equal(count(/retry-after: [1-9]\d*\r\n/g), refused)
  assert.equal(hasher.verifies - before, compared + (answer.status === 201 ? 1 : 0), 'refused requests are not hashed')
  assert.deepEqual([hasher.working, hasher.waiting], [0, 0])
  for (const { socket } of connections) socket.destroy()
  await person.signIn()
})

function assertServed({ status, headers, body }: RawAnswer, expected: number): void {
  if (status === expected) return
  assert.deepEqual([status, body.error.code], [503, 'SERVICE_UNAVAILABLE'])
  assert.match(String(headers.get('retry-after')), /^[1-9]\d*$/)
}

test('refuses a sign-in with an expected wait over 3 s without hashing; Retry-After is the time until the queue is empty', async () => {
  await using service = await start({ memoryKiB: 65_536, passes: 8, concurrency: 1 })
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { hasher } = service.service.services
  const burst = await openConnections(service, 30)
  for (const { socket } of burst) socket.write(signInBytes(tenant, 'unknown@example.com'))
  const answers = () => burst.map((connection) => connection.received())
  await until(() => answers().some((answer) => answer !== ''))
  const [first = ''] = answers().filter((answer) => answer !== '')
  assert.match(first, /^HTTP\/1\.1 503 /, 'refused before the first hash ends')
  assert.equal(hasher.verifies, 1)
  const promised = Number(/^retry-after: (\d+)/m.exec(first)?.[1])
  assert.ok(promised >= 3 && promised <= 5, String(promised))
  // A tenant without waiting requests is accepted.
  assert.equal((await signIn(service, other, 'unknown@example.com')).status, 401)
  await until(() => answers().some((answer) => answer.startsWith('HTTP/1.1 401 ')))
  for (const { socket } of burst) socket.destroy()
  assert.equal((await signIn(service, tenant, 'unknown@example.com')).status, 401)
})

/** A tenth of a second per hash, one at a time, without a limit on the wait: nearly all requests wait. */
const slowHasher = (passes = 4) =>
  createPasswordHasher({ memoryKiB: 65_536, passes, concurrency: 1, maxWaitMs: 3_600_000 })

for (const [how, connections, each] of [
  ['300 connections', 300, 1],
  ['one connection, pipelined', 1, 300],
] as const) {
  test(`drops the hashes of 300 sign-ins that disconnect (${how})`, async () => {
    const hasher = slowHasher()
    await using service = await startTestService({ hasher })
    const tenant = await service.addTenant()
    const person = await addPerson(service, tenant)
    const before = hasher.verifies
    const sockets = (await openConnections(service, connections)).map(({ socket }) => socket)
    for (const socket of sockets) socket.write(signInBytes(tenant, person.email).repeat(each))
    await until(() => hasher.waiting + hasher.verifies - before >= 300)
    for (const socket of sockets) socket.destroy()
    await until(() => hasher.waiting === 0)
    await until(() => hasher.working === 0)
    // Some hashes run before the disconnect; all 300 would take half a minute.
    assert.ok(hasher.verifies - before < 100, `${hasher.verifies - before} of 300 hashes ran`)
    await person.signIn()
    assert.equal(storedRows(service, 'SELECT id FROM sessions').length, 1)
    assert.deepEqual(
      service.log.filter((line) => JSON.parse(line).level >= 50),
      [],
      'no error is logged',
    )
  })
}

test('does not count a sign-in that disconnects as a failed password', async () => {
  const hasher = slowHasher()
  await using service = await startTestService({ hasher, limitsText: 'all=off,failed-passwords=5/15m' })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const others = Array.from({ length: 3 }, () => signIn(service, tenant, 'unknown@example.com'))
  await until(() => hasher.waiting >= 2)
  const [connection] = await openConnections(service, 1)
  connection!.socket.write(signInBytes(tenant, person.email).repeat(4))
  await until(() => hasher.waiting >= 5)
  connection!.socket.destroy()
  await until(() => hasher.waiting < 3)
  await Promise.all(others)
  const codes = []
  for (let wrong = 0; wrong < 5; wrong++) codes.push((await signIn(service, tenant, person.email)).status)
  assert.deepEqual(codes, Array(5).fill(401))
})

test('drops the work of a disconnected client in every operation that hashes', async () => {
  // So slow that the hash ahead is still running when the client leaves.
  const hasher = slowHasher(16)
  await using service = await startTestService({ hasher })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  const token = await person.verified('reset_password')
  const operations: [path: string, body: object][] = [
    ['/auth/sign-up', { method: 'password', email: 'new@example.com', password: 'battery staple' }],
    ['/auth/reset-password', { step: 'confirm', token, password: 'battery staple' }],
    ['/account/password', { password: 'battery staple' }],
    ['/account/password', { currentPassword: person.password, password: 'battery staple' }],
  ]
  for (const [path, body] of operations) {
    const ahead = signIn(service, tenant, 'unknown@example.com')
    await until(() => hasher.working === 1)
    const { hashes, verifies } = hasher
    const leaving = new AbortController()
    const headers = {
      'x-tenant-key': tenant.key,
      'content-type': 'application/json',
      ...(path.startsWith('/account') && { authorization: `Bearer ${accessToken}` }),
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal }
    const gone = assert.rejects(fetch(service.baseUrl + path, init), { name: 'AbortError' }, path)
    await until(() => hasher.waiting === 1)
    leaving.abort()
    await gone
    await until(() => hasher.waiting === 0)
    await ahead
    await until(() => hasher.working === 0)
    assert.deepEqual([hasher.hashes, hasher.verifies], [hashes, verifies], path)
  }
  await person.signIn()
})
