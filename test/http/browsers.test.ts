import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const origin = 'https://app.tenant.com'
let service: TestService
let tenant: TestTenant
let other: TestTenant
before(async () => {
  service = await startTestService({
    environment: 'staging',
    limitsText: 'all=off,resend=5/h',
    trustedProxies: '127.0.0.1',
  })
  const allowing = (allowedOrigins: string[]) => service.addTenant({ configuration: { security: { allowedOrigins } } })
  tenant = await allowing([origin, 'http://localhost:5173'])
  other = await allowing(['https://other.example'])
})
after(() => service.close())

const read = (headers: [string, string][], key = tenant.key): Promise<WireAnswer> =>
  send(service.baseUrl, { path: '/tenant-configuration', headers: [['x-tenant-key', key], ...headers] })

function preflight(
  from: string,
  { at = service, path = '/otp/resend', method = 'POST', headers = 'content-type, x-tenant-key' } = {},
): Promise<WireAnswer> {
  const headersOfPreflight: [string, string][] = [
    ['origin', from],
    ['access-control-request-method', method],
    ['access-control-request-headers', headers],
  ]
  return send(at.baseUrl, { method: 'OPTIONS', path, headers: headersOfPreflight })
}

const isAdmin = ({ path }: Operation): boolean => path.startsWith('/admin/')

/** The CORS headers of an answer. */
const accessControl = ({ headers }: WireAnswer): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

test('answers an allowed origin with the readable headers and without allowing credentials', async () => {
  for (const allowed of [origin, 'http://localhost:5173']) {
    const answer = await read([['origin', allowed]])
    assert.deepEqual(accessControl(answer), {
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag',
    })
    assert.match(answer.headers['vary'] ?? '', /Origin/)
  }
})

test('any page may read the documents that are the same for everyone, and no page the state of the server', async () => {
  const allowedBy = async (path: string, ...more: [string, string][]) => {
    const answer = await send(service.baseUrl, { path, headers: [['origin', 'https://else.example'], ...more] })
    return [answer.status, accessControl(answer)]
  }
  for (const path of ['/.well-known/jwks.json', '/.well-known/openid-configuration', '/profile-schema.json']) {
    assert.deepEqual(await allowedBy(path), [200, { 'access-control-allow-origin': '*' }])
    assert.deepEqual(await allowedBy(path, ['if-none-match', '*']), [304, { 'access-control-allow-origin': '*' }])
  }
  for (const path of ['/readyz', '/openapi.json']) assert.deepEqual(await allowedBy(path), [200, {}])
})

const notAllowed = [
  'null',
  '',
  '*',
  'https://app.tenant.com.evil.io',
  'https://evil-app.tenant.com',
  'https://evilapp.tenant.com',
  'https://tenant.com',
  'https://sub.app.tenant.com',
  'http://app.tenant.com',
  'https://app.tenant.com:8443',
  'https://app.tenant.com:443',
  'https://app.tenant.com/',
  'https://app.tenant.com.',
  'HTTPS://APP.TENANT.COM',
  'https://App.tenant.com',
  'https://app.tenant.com@evil.io',
  'https://app.tenant.com%00.evil.io',
  'https://app.tenant.com, https://evil.io',
  'https://evil.io, https://app.tenant.com',
  'https://app-tenant.com',
  'https://appxtenant.com',
  'http://localhost',
  'http://localhost:51730',
  'file://',
  'https://other.example',
]

test('sends no CORS headers to any other origin, however similar (threat F21)', async () => {
  for (const from of notAllowed) {
    const answer = await read([['origin', from]])
    assert.equal(answer.status, 200)
    assert.deepEqual(accessControl(answer), {}, from)
  }
  assert.deepEqual(
    accessControl(
      await read([
        ['origin', origin],
        ['origin', origin],
      ]),
    ),
    {},
  )
  assert.deepEqual(accessControl(await read([])), {})
})

test('does not allow the origin of another tenant (threat F21)', async () => {
  assert.deepEqual(accessControl(await read([['origin', origin]], other.key)), {})
  assert.deepEqual(accessControl(await read([['origin', origin]], 'x')), {})
})

test('rejects invalid values for allowedOrigins (threat F21)', async () => {
  for (const allowed of [
    '*',
    'null',
    'https://*.tenant.com',
    'https://app.tenant.com/',
    'app.tenant.com',
    'https://APP.tenant.com',
    'javascript:alert(1)',
    'https://a@b.example',
    '',
  ]) {
    await assert.rejects(service.admin.updateConfiguration(tenant, { security: { allowedOrigins: [allowed] } }), {
      code: 'VALIDATION_ERROR',
    })
  }
})

test('answers a preflight alike for every origin, without rate limit or database access', async () => {
  const statements: string[] = []
  await using watched = await startTestService({ hooks: { onStatement: (name) => statements.push(name) } })
  const security = { allowedOrigins: [origin] }
  await watched.addTenant({ configuration: { security } })
  statements.length = 0
  for (const from of [origin, 'https://unknown.example', ...notAllowed]) {
    const { status, text, headers } = await preflight(from, { at: watched })
    const { 'x-request-id': _id, date: _date, ...answer } = headers
    assert.deepEqual([status, text], [204, ''])
    assert.deepEqual(
      answer,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'Authorization, Content-Type, X-Tenant-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match',
        'access-control-max-age': '600',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
      },
      from,
    )
  }
  assert.deepEqual(
    statements.filter((name) => /origin|caller/i.test(name)),
    [],
  )
})

test('answers a preflight on the path of every operation outside /admin with its methods', async () => {
  for (const { path, method } of (Object.values(operations) as Operation[]).filter((each) => !isAdmin(each))) {
    const answer = await preflight(origin, { path: path.replace(/:\w+/g, 'x'), method })
    assert.equal(answer.status, 204, path)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.ok(answer.headers['access-control-allow-methods']?.split(', ').includes(method), `${method} ${path}`)
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  }
  const profile = await preflight(origin, { path: '/account/profile', method: 'PATCH' })
  assert.equal(profile.headers['access-control-allow-methods'], 'GET, HEAD, PATCH')
})

test('answers 404 to a preflight on an unknown path and 405 to OPTIONS that is not a preflight', async () => {
  assertRefusal(await preflight(origin, { path: '/nothing' }), 'NOT_FOUND')
  for (const headers of [[], [['origin', origin]], [['access-control-request-method', 'POST']]] as [
    string,
    string,
  ][][]) {
    assertRefusal(
      await send(service.baseUrl, { method: 'OPTIONS', path: '/otp/resend', headers }),
      'METHOD_NOT_ALLOWED',
    )
  }
})

test('allows the origin of a suspended tenant to read the error, but not that of a deleted tenant', async () => {
  const gone = await service.addTenant({ configuration: { security: { allowedOrigins: ['https://gone.example'] } } })
  const { tenantId } = gone
  await service.admin.updateTenant({ tenantId }, { suspended: true })
  const refused = await read([['origin', 'https://gone.example']], gone.key)
  assertRefusal(refused, 'TENANT_SUSPENDED')
  assert.equal(refused.headers['access-control-allow-origin'], 'https://gone.example')
  await service.admin.deleteTenant({ tenantId })
  assert.deepEqual(accessControl(await read([['origin', 'https://gone.example']], gone.key)), {})
})

test('allows the origin to read every error after the key check, including a 429 with Retry-After', async () => {
  const resend = (client: string, headers: [string, string][], body: string) =>
    send(service.baseUrl, {
      method: 'POST',
      path: '/otp/resend',
      headers: [['origin', origin], ['x-tenant-key', tenant.key], ['x-forwarded-for', client], ...headers],
      body,
    })
  const json: [string, string] = ['content-type', 'application/json']
  const answers = [
    await resend('10.0.0.1', [json], '{}'),
    await resend('10.0.0.1', [json], '{'),
    await resend('10.0.0.1', [], '{}'),
    await resend('10.0.0.1', [json], ' '.repeat(65_537)),
    await resend('10.0.0.1', [json], '{"id":"x","scope":"reset_password"}'),
    await resend('10.0.0.1', [json], '{}'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 415, 413, 404, 429],
  )
  for (const answer of answers) {
    assert.equal(answer.headers['access-control-allow-origin'], origin)
    assert.match(answer.headers['access-control-expose-headers'] ?? '', /RateLimit.*Retry-After.*X-Request-Id/)
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    assert.equal(answer.headers['vary'], 'Origin')
  }
  assert.equal(answers.at(-1)!.headers['retry-after'], '3600')
})
