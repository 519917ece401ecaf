import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { schemaOfEveryKind, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const read = (query = '', headers: [string, string][] = [], key = target.tenant.key): Promise<WireAnswer> =>
  send(target.service.baseUrl, { path: `/tenant-configuration${query}`, headers: [['x-tenant-key', key], ...headers] })

const hasSchema = (answer: WireAnswer): boolean => {
  assert.equal(answer.status, 200, answer.text)
  return 'profileSchema' in (answer.json() as object)
}

test('omits the schema only for the exact current version (threat E13)', async () => {
  assert.equal(hasSchema(await read('?schemaVersion=v1')), false)
  assert.equal(hasSchema(await read('?schemaVersion=%76%31')), false)
  for (const version of [
    'V1',
    'v1%20',
    '%20v1',
    '+v1',
    'v1%00',
    'v1%0a',
    'v',
    'v11',
    '1',
    '',
    'v1,v1',
    '%22v1%22',
    'v%EF%BC%91',
    '*',
    '__proto__',
  ]) {
    assert.equal(hasSchema(await read(`?schemaVersion=${version}`)), true, version)
  }
  for (const name of [
    'SchemaVersion',
    'schemaversion',
    'schema_version',
    'version',
    'schemaVersion%20',
    'schemaVersion%00',
  ]) {
    assert.equal(hasSchema(await read(`?${name}=v1`)), true, name)
  }
})

test('compares a numeric version as text (threat E13)', async () => {
  const { service, tenant } = target
  await service.admin.publishProfileSchema(tenant, { ...schemaOfEveryKind, version: '10' })
  for (const version of ['10.0', '1e1', '0xa', '010', '+10', '%2010', '10n', '１０']) {
    assert.equal(hasSchema(await read(`?schemaVersion=${encodeURI(version)}`)), true, version)
  }
  assert.equal(hasSchema(await read('?schemaVersion=10')), false)
  await service.admin.publishProfileSchema(tenant, schemaOfEveryKind)
})

test('returns the schema for repeated, nested, polluting and oversized parameters (threat A25)', async () => {
  const queries = [
    '?schemaVersion=v1&schemaVersion=v1',
    '?schemaVersion=a&schemaVersion=v1',
    '?schemaVersion[]=v1',
    '?schemaVersion[0]=v1',
    '?schemaVersion[$eq]=v1',
    '?__proto__=1&__proto__[schemaVersion]=v1',
    '?constructor.prototype.schemaVersion=v1',
    '?__proto__.schemaVersion=v1',
    `?schemaVersion=${'v'.repeat(8_000)}`,
    '?schemaVersion=%zz',
    '?schemaVersion=%ff%fe',
    '?schemaVersion',
    '?=v1',
    '?&&&',
    `?${'a=b&'.repeat(3000)}`,
    '?schemaVersion=v1%26',
  ]
  for (const query of queries) assert.equal(hasSchema(await read(query)), true, query.slice(0, 60))
  assert.equal(({} as Record<string, unknown>)['schemaVersion'], undefined)
})

test('ignores the body and content type of a GET (threat A25)', async () => {
  const headers: [string, string][] = [
    ['x-tenant-key', target.tenant.key],
    ['content-type', 'text/plain'],
    ['content-encoding', 'gzip'],
  ]
  assert.equal(
    hasSchema(await send(target.service.baseUrl, { path: '/tenant-configuration', headers, body: '{"id":' })),
    true,
  )
})

test('omits private settings and secrets planted in them (threat E11)', async () => {
  const { service, tenant } = target
  await service.admin.updateConfiguration(tenant, {
    security: { allowedOrigins: ['https://canary.example'], enumerationProtection: false },
    delivery: { defaultLocale: 'xx-canary' },
    events: { detail: 'all' },
    auth: { google: { clientIds: ['canary.apps.googleusercontent.com'] } },
    otp: { length: 6, maxVerifyAttempts: 9 },
    theme: { colour: 'blue' },
  })
  const answer = await read()
  assert.deepEqual(Object.keys(answer.json() as object).sort(), ['auth', 'otp', 'profileSchema', 'theme'])
  const { auth, otp } = answer.json() as { auth: object; otp: object }
  assert.deepEqual([Object.keys(auth), otp], [['methods'], { length: 6 }])
  assert.doesNotMatch(answer.text, /canary|security|delivery|migrations|maxVerifyAttempts/)
})

test('forbids shared caching and varies by tenant key (threat E12)', async () => {
  const other = await target.service.addTenant({ configuration: { theme: { colour: 'red' } } })
  const [ours, theirs] = [await read(), await read('', [], other.key)]
  for (const answer of [ours, theirs]) {
    assert.equal(answer.headers['cache-control'], 'private, no-cache')
    assert.match(answer.headers['vary'] ?? '', /X-Tenant-Key/)
    assert.match(answer.headers['etag'] ?? '', /^"[^"]+"$/)
  }
  assert.notEqual(ours.headers['etag'], theirs.headers['etag'])
  const crossTenant = await read('', [['if-none-match', ours.headers['etag']!]], other.key)
  assert.deepEqual([crossTenant.status, crossTenant.text], [200, theirs.text])
  for (const match of [ours.headers['etag']!, `W/${ours.headers['etag']}`, `"x", ${ours.headers['etag']}`, '*']) {
    const unchanged = await read('', [['if-none-match', match]])
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers['etag']], [304, '', ours.headers['etag']])
  }
  for (const match of [
    '"x"',
    ours.headers['etag']!.slice(1, -1),
    '',
    '""',
    'W/',
    ours.headers['etag']!.toUpperCase(),
  ]) {
    assert.equal((await read('', [['if-none-match', match]])).status, 200, match)
  }
})

test('runs the request checks before it answers a conditional request (threat E12)', async () => {
  const etag = (await read()).headers['etag']!
  assertRefusal(await read('', [['if-none-match', etag]], 'x'), 'INVALID_TENANT_KEY')
  const { tenantId } = target.tenant
  await target.service.admin.updateTenant({ tenantId }, { suspended: true })
  assertRefusal(await read('', [['if-none-match', '*']]), 'TENANT_SUSPENDED')
  await target.service.admin.updateTenant({ tenantId }, { suspended: false })
})

test('keeps users with the same address at two tenants separate (threat E10)', async () => {
  const { service, email, password } = target
  const other = await service.addTenant()
  await service.admin.publishProfileSchema(other, schemaOfEveryKind)
  const { accessToken, user } = await other.client.signUp({ method: 'password', email, password: 'another password' })
  const theirs = await other.client.updateProfile({ nickname: 'theirs' }, { accessToken })
  const ours = assertSuccess(await target.send('updateProfile', { body: { nickname: 'ours' } }), 200)
  assert.notEqual(ours['id'], theirs.id)
  assert.equal((await other.client.getProfile({ accessToken }))['nickname'], 'theirs')
  const signedIn = assertSuccess(await target.send('signIn', { body: { method: 'password', email, password } }), 201)
  assert.notEqual((signedIn['user'] as { id: string }).id, user.id)
  assertRefusal(
    await target.send('signIn', { body: { method: 'password', email, password: 'another password' } }),
    'INVALID_CREDENTIALS',
  )
})
