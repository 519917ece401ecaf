import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { addPerson } from '../support/person.ts'
import { fullRunsOnly } from '../support/runner/sample-size.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

interface Line {
  readonly [key: string]: unknown
  readonly requestId: string
}

const linesOf = ({ log }: Pick<TestService, 'log'>): Line[] =>
  log.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line))

/** The log line of a request, without the values that differ between runs. */
async function lineOf(service: TestService, requestId: string): Promise<Record<string, unknown>> {
  await until(() => linesOf(service).some((line) => line.requestId === requestId))
  const lines = linesOf(service).filter((line) => line.requestId === requestId)
  assert.equal(lines.length, 1)
  const { level, time, pid, hostname, msg, ms, requestId: _id, ...rest } = lines[0]!
  assert.deepEqual([level, typeof time, pid, typeof hostname, msg], [30, 'number', process.pid, 'string', 'request'])
  assert.ok(ms === null || (typeof ms === 'number' && ms >= 0))
  return rest
}

let requests = 0

/** Sends a request with a new request id and returns its log line. */
async function ask(service: TestService, line: string, headers: Record<string, string> = {}, body?: string) {
  const [method, path] = line.split(' ')
  const requestId = `request-${++requests}`
  const answer = await fetch(service.baseUrl + path, {
    method: method!,
    headers: { ...headers, 'x-request-id': requestId },
    ...(body !== undefined && { body }),
  })
  await answer.arrayBuffer()
  return lineOf(service, requestId)
}

/** Sends bytes and waits for the answer; the connection stays open. */
async function send(service: TestService, bytes: string) {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  socket.on('error', () => {}).write(bytes)
  return socket
}

test('writes one line per request with operation, tenant, user, status and code', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  const key = { 'x-tenant-key': tenant.key }
  const user = { ...key, authorization: `Bearer ${accessToken}` }
  const unknown = { operation: null, tenantId: null, userId: null }
  const ok = { status: 200, code: null }
  const json = { 'content-type': 'application/json' }

  const configuration = { operation: 'getTenantConfiguration', tenantId, userId: null }
  assert.deepEqual(await ask(service, 'GET /tenant-configuration?secret=1', key), { ...configuration, ...ok })
  assert.deepEqual(await ask(service, 'HEAD /tenant-configuration', key), { ...configuration, ...ok })
  assert.deepEqual(await ask(service, 'GET /tenant-configuration'), {
    ...{ ...configuration, tenantId: null },
    ...{ status: 401, code: 'MISSING_TENANT_KEY' },
  })
  const profile = { operation: 'getProfile', tenantId, userId: person.userId }
  assert.deepEqual(await ask(service, 'GET /account', user), { ...profile, operation: 'getAccount', ...ok })
  assert.deepEqual(await ask(service, 'GET /account/profile', { ...user, authorization: 'Bearer wrong' }), {
    ...{ ...profile, userId: null },
    ...{ status: 401, code: 'INVALID_USER_TOKEN' },
  })
  assert.deepEqual(await ask(service, 'PATCH /account/profile', { ...user, ...json }, '[]'), {
    ...{ ...profile, operation: 'updateProfile' },
    ...{ status: 400, code: 'VALIDATION_ERROR' },
  })
  assert.deepEqual(await ask(service, `GET /nowhere/${tenantId}`), { ...unknown, status: 404, code: 'NOT_FOUND' })
  assert.deepEqual(await ask(service, 'DELETE /readyz'), { ...unknown, status: 405, code: 'METHOD_NOT_ALLOWED' })
  assert.deepEqual(await ask(service, 'HEAD /docs'), { ...unknown, ...ok })
  assert.deepEqual(await ask(service, 'GET /docs/storage.js'), { ...unknown, ...ok })
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
  assert.deepEqual(await ask(service, 'OPTIONS /tenant-configuration', preflight), {
    ...unknown,
    status: 204,
    code: null,
  })
  assert.deepEqual(await ask(service, 'GET /%zz'), { ...unknown, status: 400, code: 'BAD_REQUEST' })
  const exported = { authorization: `Bearer ${service.adminKey}` }
  assert.deepEqual(await ask(service, `GET /admin/tenants/${tenantId}/users/export`, exported), {
    ...{ ...unknown, operation: 'exportUsers', tenantId },
    ...ok,
  })
  assert.deepEqual(await ask(service, 'GET /admin/tenants/free%20text', exported), {
    ...{ ...unknown, operation: 'getTenant' },
    ...{ status: 404, code: 'TENANT_NOT_FOUND' },
  })
})

test('writes each of many lines once, in order, with its own caller, status and code', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const tenants = [await service.addTenant(), await service.addTenant()]
  const headersOf = (id: number) => {
    const key = tenants[id % 2]!.key
    return id % 3 === 0 ? `x-tenant-key: ${key}\r\nx-tenant-key: ${key}\r\n` : `x-tenant-key: ${key}\r\n`
  }
  // More than fits into the buffer.
  const ids = Array.from({ length: 600 }, (_, id) => id)
  const requests = ids.map(
    (id) => `GET /tenant-configuration HTTP/1.1\r\nhost: a\r\nx-request-id: many-${id}\r\n${headersOf(id)}\r\n`,
  )
  const socket = await send(service, requests.join(''))
  socket.resume()
  const ofMany = () => linesOf(service).filter(({ requestId }) => requestId.startsWith('many-'))
  await until(() => ofMany().length >= ids.length)
  socket.destroy()
  assert.deepEqual(
    ofMany().map(({ requestId, tenantId, status, code }) => [requestId, tenantId, status, code]),
    ids.map((id) =>
      id % 3 === 0
        ? [`many-${id}`, null, 401, 'INVALID_TENANT_KEY']
        : [`many-${id}`, tenants[id % 2]!.tenantId, 200, null],
    ),
  )
})

test('writes a line for a refusal by the HTTP parser, with the request id of its answer', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const socket = await send(service, 'not HTTP\r\n\r\n')
  const [answer] = await once(socket.setEncoding('utf8'), 'data')
  const requestId = /x-request-id: (\S+)/.exec(answer)![1]!
  assert.deepEqual(await lineOf(service, requestId), {
    ...{ operation: null, tenantId: null, userId: null },
    ...{ status: 400, code: 'BAD_REQUEST' },
  })
  socket.destroy()
})

test('marks requests and streams that the client cut off, and writes their lines when they end', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const { tenantId, key } = await service.addTenant()
  const half = await send(
    service,
    `POST /otp HTTP/1.1\r\nhost: a\r\nx-request-id: half\r\nx-tenant-key: ${key}\r\ncontent-length: 10\r\n\r\n{`,
  )
  const head = `GET /admin/testing-channel/stream HTTP/1.1\r\nhost: a\r\nx-request-id: stream\r\n`
  const stream = await send(service, `${head}authorization: Bearer ${service.adminKey}\r\n\r\n`)
  await once(stream, 'data')
  await until(async () => (await ask(service, 'GET /healthz'))['status'] === 200)
  assert.deepEqual(
    linesOf(service).filter(({ requestId }) => ['half', 'stream'].includes(requestId)),
    [],
    'no line before they end',
  )
  half.destroy()
  stream.destroy()
  const { code, ...rest } = await lineOf(service, 'half')
  assert.deepEqual(rest, { operation: 'issueOtp', tenantId, userId: null, status: null, cutOff: true })
  assert.ok(code === null || code === 'BAD_REQUEST')
  assert.deepEqual(await lineOf(service, 'stream'), {
    ...{ operation: 'streamTestingChannelMessages', tenantId: null, userId: null },
    ...{ status: 200, code: null, cutOff: true },
  })
})

test('writes a line for each pipelined request that the client cut off', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const request = (id: string, path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\nauthorization: Bearer ${service.adminKey}\r\n\r\n`
  const stream = await send(service, request('first', '/admin/testing-channel/stream') + request('second', '/healthz'))
  await once(stream, 'data')
  stream.destroy()
  for (const [id, operation] of [
    ['first', 'streamTestingChannelMessages'],
    ['second', 'getLiveness'],
  ] as const) {
    const line = await lineOf(service, id)
    assert.deepEqual([line['operation'], line['cutOff']], [operation, true])
  }
})

test('writes the line of a stream without cutOff when shutdown ends it', async () => {
  const service = await startTestService({ requestLogMode: 'on' })
  const head = `GET /admin/testing-channel/stream HTTP/1.1\r\nhost: a\r\nx-request-id: stream\r\n`
  const stream = await send(service, `${head}authorization: Bearer ${service.adminKey}\r\n\r\n`)
  await once(stream, 'data')
  stream.resume()
  await service.close()
  assert.equal((await lineOf(service, 'stream'))['cutOff'], undefined)
})

test('writes only answers with status 500 and above in errors mode', async () => {
  let broken = false
  const onStatement = () => {
    if (broken) throw new Error('broken on purpose')
  }
  await using service = await startTestService({ requestLogMode: 'errors', hooks: { onStatement } })
  const { key } = await service.addTenant()
  await fetch(`${service.baseUrl}/tenant-configuration`, { headers: { 'x-tenant-key': key } })
  await fetch(`${service.baseUrl}/tenant-configuration`)
  broken = true
  const line = await ask(service, 'GET /readyz')
  broken = false
  assert.deepEqual(line, {
    operation: 'getReadiness',
    tenantId: null,
    userId: null,
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
  })
  assert.equal(linesOf(service).length, 1)
})

test('writes nothing without the setting or with off', async () => {
  for (const mode of [{}, { requestLogMode: 'off' }] as const) {
    await using service = await startTestService(mode)
    await (await fetch(`${service.baseUrl}/healthz`)).arrayBuffer()
    await (await fetch(`${service.baseUrl}/nowhere`)).arrayBuffer()
    assert.deepEqual(linesOf(service), [])
  }
})

test('writes request lines at any LOG_LEVEL with TENANTRY_REQUEST_LOG=on', fullRunsOnly, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-request-log-'))
  const port = await freePort()
  const env = {
    ...{ PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'silent', TENANTRY_REQUEST_LOG: 'on' },
    DATABASE_URL: `sqlite:${join(folder, 'tenantry.db')}`,
  }
  const main = fileURLToPath(new URL('../../server/start.js', import.meta.url))
  const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await until(() => output.includes('tenant key'))
  await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { 'x-request-id': 'test-request' } })
  await until(() => output.includes('"requestId":"test-request","operation":"getLiveness"'))
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(folder, { recursive: true })
})
