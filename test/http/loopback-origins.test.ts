import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefusedOrigin } from '../../server/http/refused-origins.ts'
import { send } from '../support/http/wire.ts'
import { startTestService, type TestService } from '../support/service.ts'

const onThisMachine = [
  ...['http://localhost', 'http://localhost:5173', 'https://localhost:3000', 'http://127.0.0.1:8080'],
  ...['https://127.8.9.10', 'http://[::1]', 'http://[::1]:5173'],
]
const elsewhere = [
  ...[
    'null',
    'http://localhost.example.com',
    'http://alocalhost:3000',
    'http://127.0.0.1.example.com',
    'http://128.0.0.1',
  ],
  ...[
    'http://[::2]:3000',
    'http://localhost:3000/',
    'http://me@localhost',
    'file://localhost',
    'http://192.168.1.7:5173',
  ],
]

/** The origin that may read the answer. */
async function allowedBy({ baseUrl }: TestService, key: string, origin: string): Promise<string | undefined> {
  const headers: [string, string][] = [
    ['x-tenant-key', key],
    ['origin', origin],
  ]
  const answer = await send(baseUrl, { path: '/tenant-configuration', headers })
  assert.equal(answer.status, 200)
  assert.match(answer.headers['vary'] ?? '', /\bOrigin\b/)
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  return answer.headers['access-control-allow-origin']
}

test('in development, allows every page on this machine for every tenant (threat F21)', async () => {
  await using service = await startTestService({ environment: 'development' })
  for (const { key } of [await service.addTenant(), await service.addTenant()]) {
    for (const origin of onThisMachine) assert.equal(await allowedBy(service, key, origin), origin)
    for (const origin of elsewhere) assert.equal(await allowedBy(service, key, origin), undefined, origin)
  }
  const preflight = await send(service.baseUrl, {
    method: 'OPTIONS',
    path: '/otp/resend',
    headers: [
      ['origin', 'http://localhost:5173'],
      ['access-control-request-method', 'POST'],
    ],
  })
  assert.equal(preflight.headers['access-control-allow-origin'], '*')
})

for (const environment of ['staging', 'production'] as const) {
  test(`in ${environment}, allows pages on this machine only where the tenant lists them (threat F21)`, async () => {
    await using service = await startTestService({ environment })
    const { key } = await service.addTenant()
    for (const origin of onThisMachine) assert.equal(await allowedBy(service, key, origin), undefined, origin)
    const allowedOrigins = ['http://localhost:5173']
    const other = await service.addTenant({ configuration: { security: { allowedOrigins } } })
    assert.equal(await allowedBy(service, other.key, allowedOrigins[0]!), allowedOrigins[0])
  })
}

test('reports a refused origin once, and none of pages that the service serves itself', async () => {
  const refused: RefusedOrigin[] = []
  await using service = await startTestService({ onRefusedOrigin: (each) => refused.push(each) })
  const allowed = ['https://app.example.com']
  const { key, tenantId } = await service.addTenant({ configuration: { security: { allowedOrigins: allowed } } })
  // As `send` names the host; a proxy may end TLS.
  const own = ['http://tenantry.test', 'https://tenantry.test']
  for (const origin of ['http://app.test', 'http://app.test', 'http://localhost:1', ...allowed, ...own])
    await allowedBy(service, key, origin)
  assert.deepEqual(refused, [{ tenantId, origin: 'http://app.test' }])
})

test('logs refused origins with tenant and advice', async () => {
  await using service = await startTestService({ environment: 'production' })
  const { key, tenantId } = await service.addTenant()
  await allowedBy(service, key, 'http://app.test')
  const lines = service.log
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.startsWith('browser origin refused'))
  assert.deepEqual(
    lines.map(({ level, tenantId, origin, msg }) => ({ level, tenantId, origin, msg })),
    [
      {
        ...{ level: 30, tenantId, origin: 'http://app.test' },
        msg: 'browser origin refused; if the page is yours, allow it with "tenantry configuration allow-origin"',
      },
    ],
  )
})
