import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { errors } from '../../contract/errors.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { describeReport, outage } from '../campaign/crashes/failover.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { addPerson } from '../support/person.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'
import { CuttingProxy } from './cutting-proxy.ts'

let server: PostgresServer
let proxy: CuttingProxy
let service: TestService
let tenant: TestTenant

before(async () => {
  server = await startPostgres()
  proxy = await CuttingProxy.start(await server.createDatabase())
  service = await startTestService({ storage: await openPostgresStorage({ url: proxy.url, connections: 4 }) })
  tenant = await service.addTenant({ configuration: { otp: { resendIntervalSeconds: 0 } } })
})
after(async () => {
  proxy.flow()
  proxy.delay(0)
  await service.close()
  await proxy[Symbol.asyncDispose]()
  await server.close()
})

interface Timed {
  readonly answer: WireAnswer
  readonly ms: number
}

async function timed(request: Promise<WireAnswer>): Promise<Timed> {
  const startedAt = performance.now()
  const answer = await request
  return { answer, ms: performance.now() - startedAt }
}

const get = (path: string) => timed(send(service.baseUrl, { path, headers: [['x-tenant-key', tenant.key]] }))
async function assertAlive(): Promise<void> {
  const { status, headers } = (await get('/healthz')).answer
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
}

const untilReady = () => until(async () => (await get('/readyz')).answer.status === 200, 5_000)

test('while the database hangs, GET /readyz answers 503 within 2 s and requests within 5 s; then all recover', async (t) => {
  await assertAlive()
  assert.equal((await get('/readyz')).answer.status, 200)
  proxy.hang()
  try {
    const readiness = [await get('/readyz')]
    const requests = Promise.all(Array.from({ length: 20 }, () => get('/tenant-configuration')))
    readiness.push(await get('/readyz'))
    await assertAlive()
    for (const { answer, ms } of readiness) {
      assertRefusal(answer, 'SERVICE_UNAVAILABLE')
      assert.equal(answer.headers['retry-after'], '1')
      assert.ok(ms < 2_000, `${ms} ms`)
    }
    const slowest = Math.max(...(await requests).map((each) => each.ms))
    for (const each of await requests) {
      assertRefusal(each.answer, 'SERVICE_UNAVAILABLE')
      assert.equal(each.answer.headers['retry-after'], '1')
    }
    assert.ok(slowest < 5_000, `${slowest} ms`)
    const [idle, loaded] = readiness.map(({ ms }) => ms.toFixed(0))
    t.diagnostic(`/readyz after ${idle} and, under load, ${loaded} ms; requests after ${slowest.toFixed(0)} ms at most`)
  } finally {
    proxy.flow()
  }
  await untilReady()
  assert.equal((await get('/tenant-configuration')).answer.status, 200)
})

test('while the database is slow, requests that wait too long for a connection answer 503 (threat G07)', async (t) => {
  await untilReady()
  // Reads would share a connection. Each of these writes needs its own.
  const person = await addPerson(service, tenant)
  const issued = await Promise.all(Array.from({ length: 60 }, () => person.issue('reset_password')))
  const resend = ({ id }: { readonly id: string }) => {
    const body = JSON.stringify({ id, scope: 'reset_password' })
    const headers = [
      ['x-tenant-key', tenant.key],
      ['content-type', 'application/json'],
    ] as const
    return timed(send(service.baseUrl, { method: 'POST', path: '/otp/resend', headers, body }))
  }
  proxy.delay(600)
  try {
    const answers = await Promise.all(issued.map(resend))
    await assertAlive()
    const outcomes: Record<number, number> = {}
    for (const { answer, ms } of answers) {
      outcomes[answer.status] = (outcomes[answer.status] ?? 0) + 1
      if (answer.status !== 201) assertRefusal(answer, 'SERVICE_UNAVAILABLE')
      assert.ok(ms < 5_000, `${ms} ms`)
    }
    assert.ok(outcomes[201]! > 0 && outcomes[503]! > 0, JSON.stringify(outcomes))
    t.diagnostic(`60 requests, 4 connections, 600 ms per round trip: ${JSON.stringify(outcomes)}`)
  } finally {
    proxy.delay(0)
  }
  await untilReady()
})

test('after all connections break at once, the next requests use new ones', async () => {
  await untilReady()
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  proxy.cutAll()
  await pause(50)
  await tenant.client.resendOtp({ id, scope: 'reset_password' })
  assert.equal((await tenant.client.getOtpStatus({ id, scope: 'reset_password' })).resendsRemaining, 2)
})

test('while the database is down, the log gives the reason of every 503 without the password', async () => {
  const down = await CuttingProxy.start(await server.createDatabase())
  const address = new URL(down.url)
  // Longer than the default, so that GET /readyz always times out after the pool.
  const storage = await openPostgresStorage({ url: down.url, connections: 2, acquireTimeoutMs: 1_600 })
  await using cut = await startTestService({ storage })
  await down[Symbol.asyncDispose]()
  const logged = cut.log.length
  const headers = [['x-tenant-key', tenant.key]] as const
  const asked = ['/readyz', '/tenant-configuration'].map((path) => timed(send(cut.baseUrl, { path, headers })))
  for (const { answer, ms } of await Promise.all(asked)) {
    assertRefusal(answer, 'SERVICE_UNAVAILABLE')
    assert.ok(ms < 2_000, `${ms} ms`)
  }
  const lines = cut.log.slice(logged).filter((line) => line.includes('"unexpected error"'))
  const reasons = lines.map((line) => JSON.parse(line)).map(({ operation, err }) => [operation, err.type, err.message])
  const reason = `No PostgreSQL server is available: ${address.host}: connect ECONNREFUSED ${address.host}`
  assert.deepEqual(reasons.map((line) => line.join(' ')).sort(), [
    `/readyz DatabaseBusy ${errors.SERVICE_UNAVAILABLE.message}: ${reason}`,
    `/tenant-configuration NoServerAvailable ${reason}`,
  ])
  assert.ok(!cut.log.join('').includes(`:${address.password}@`))
})

test('a database restart under load: 503 within 3 s, then writes succeed, and SIGTERM ends the server in time', async (t) => {
  const report = await outage({ writes: sampleSize(60, 20), seed: 20260115, downMs: 2_500 })
  t.diagnostic(`${describeReport(report)}; SIGTERM ended it after ${report.endedMs.toFixed(0)} ms`)
  assert.ok(report.slowestAnswerMs < 3_000)
  assert.ok(Math.max(...report.recoveredMs) < 5_000)
  assert.ok(report.endedMs < 10_000)
  assert.ok((report.refusals['SERVICE_UNAVAILABLE'] ?? 0) > 0)
})
