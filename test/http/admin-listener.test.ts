import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { allOperations } from '../../contract/operations.ts'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { freePort } from '../support/free-port.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { scrape } from '../support/http/scrape.ts'
import { send } from '../support/http/wire.ts'
import { fullRunsOnly } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
before(async () => {
  service = await startTestService({ separateAdmin: true })
})
after(() => service.close())

const everything = Object.values(allOperations)
const isAdmin = ({ path }: Operation) => path.startsWith('/admin/')
const isShared = ({ path }: Operation) => ['/healthz', '/readyz', '/metrics'].includes(path)
const asAdmin: [string, string][] = [['authorization', `Bearer ${testAdminKey}`]]
const concreteOf = (path: string) => path.replace(/:\w+/g, 'x')
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Asserts that a listener answers 404 at a path, for every method, with a CORS preflight and the admin key. */
async function assertAbsent(baseUrl: string, path: string): Promise<void> {
  const preflight: [string, string][] = [
    ['origin', 'https://a.example'],
    ['access-control-request-method', 'POST'],
  ]
  for (const method of methods) {
    const answer = await send(baseUrl, { method, path, headers: [...asAdmin, ...preflight] })
    assert.equal(answer.status, 404, `${method} ${path}`)
    if (method !== 'HEAD') assertRefusal(answer, 'NOT_FOUND')
    assert.equal(answer.headers['allow'], undefined)
  }
}

test('answers 404 under /admin and /console on the public listener, for every method (threat I17)', async () => {
  const paths = everything.filter(isAdmin).map(({ path }) => concreteOf(path))
  for (const path of new Set([...paths, '/admin', '/admin/', '/console', '/console/', '/console/x'])) {
    await assertAbsent(service.baseUrl, path)
  }
})

test('serves only /admin, the console, health and metrics on the admin listener', async () => {
  const others = everything.filter((operation) => !isAdmin(operation) && !isShared(operation))
  for (const path of new Set([...others.map(({ path }) => concreteOf(path)), '/docs', '/docs/start.js'])) {
    await assertAbsent(service.adminUrl, path)
  }
  for (const { method, path } of everything.filter(({ auth, path }) => auth === 'admin' && path !== '/metrics')) {
    assertRefusal(await send(service.adminUrl, { method, path: concreteOf(path) }), 'MISSING_ADMIN_KEY')
  }
  assert.equal((await send(service.adminUrl, { path: '/admin/session' })).status, 200)
  for (const path of ['/healthz', '/readyz']) assert.equal((await send(service.adminUrl, { path })).status, 200)
  const redirect = await send(service.adminUrl, { path: '/console' })
  assert.deepEqual([redirect.status, redirect.headers['location']], [308, '/console/'])
  assertRefusal(await send(service.adminUrl, { path: '/metrics' }), 'MISSING_ADMIN_KEY')
  assert.equal((await send(service.adminUrl, { path: '/metrics', headers: asAdmin })).status, 200)
  assertRefusal(await send(service.adminUrl, { method: 'PATCH', path: '/admin/tenants' }), 'METHOD_NOT_ALLOWED')
})

test('serves everything except /admin on the public listener', async () => {
  const { client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/.well-known/jwks.json']) {
    assert.equal((await send(service.baseUrl, { path })).status, 200, path)
  }
  assert.equal((await send(service.baseUrl, { path: '/metrics', headers: asAdmin })).status, 200)
})

test('counts requests of both listeners in one series per operation', async () => {
  const before = (await scrape(service)).value('tenantry_http_request_duration_seconds_count', labels) ?? 0
  await send(service.baseUrl, { path: '/healthz' })
  await send(service.adminUrl, { path: '/healthz' })
  const { text, value } = await scrape(service)
  assert.equal(value('tenantry_http_request_duration_seconds_count', labels), before + 2)
  assert.equal(text.split(`tenantry_http_request_duration_seconds_count${labels}`).length, 2)
})
const labels = '{operation="getLiveness",code="OK"}'

test('serves everything on one listener without an admin port', async () => {
  await using single = await startTestService()
  assert.equal(single.service.adminHttp, null)
  assert.equal((await send(single.baseUrl, { path: '/admin/tenants', headers: asAdmin })).status, 200)
})

test('ends the streams of the admin listener on shutdown', async () => {
  const closing = await startTestService({ separateAdmin: true })
  const stream = await fetch(`${closing.adminUrl}/admin/testing-channel/stream`, {
    headers: { authorization: `Bearer ${testAdminKey}` },
  })
  const ended = stream.text()
  await closing.close()
  await ended
  for (const url of [closing.baseUrl, closing.adminUrl]) await assert.rejects(fetch(`${url}/healthz`))
})

test('shuts down despite a half-sent request on either listener', async () => {
  const closing = await startTestService({ separateAdmin: true, shutdownTimeoutMs: 50 })
  const half = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testAdminKey}\r\ncontent-length: 100\r\n\r\n{"id"`
  for (const [url, path] of [
    [closing.baseUrl, '/otp/resend'],
    [closing.adminUrl, '/admin/tenants'],
  ] as const) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    socket.write(`POST ${path} ${half}`)
    await fetch(`${url}/healthz`)
  }
  const started = performance.now()
  await closing.close()
  assert.ok(performance.now() - started < 5_000)
})

test(
  'opens the admin listener on ADMIN_PORT and ADMIN_HOST and closes both listeners on SIGTERM',
  fullRunsOnly,
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-admin-'))
    const [port, adminPort] = [await freePort(), await freePort()]
    const env = {
      ...{ PATH: process.env['PATH'], PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'info' },
      ...{ ADMIN_PORT: String(adminPort), ADMIN_HOST: '127.0.0.2', TENANTRY_ENVIRONMENT: 'staging' },
      ...{ DATABASE_URL: `sqlite:${join(folder, 'tenantry.db')}`, TENANTRY_ADMIN_KEY: testAdminKey },
      TENANTRY_DRAIN_SECONDS: '0',
    }
    const main = join(import.meta.dirname, '../../server/start.js')
    const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    let log = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    await until(() => log.includes(`Server listening at http://127.0.0.1:${port}`))
    assert.match(log, new RegExp(`"address":"http://127\\.0\\.0\\.2:${adminPort}","msg":"admin API listening"`))
    const admin = createTenantryAdmin({ baseUrl: `http://127.0.0.2:${adminPort}`, adminKey: testAdminKey })
    assert.deepEqual((await admin.listTenants({})).items, [])
    await assertAbsent(`http://127.0.0.1:${port}`, '/admin/tenants')
    await assert.rejects(fetch(`http://127.0.0.1:${adminPort}/healthz`))
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    await rm(folder, { recursive: true })
  },
)
