import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing, writeStored } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const line = 'GET /tenant-configuration'
const emptySchema = { version: '1', components: [], presentation: [], forms: {} }
let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

const ask = ({ key }: TestTenant, query = '', headers: Record<string, string> = {}) =>
  request(service, line + query, { key, headers })
const plantModules = ({ tenantId }: TestTenant, modules: object) =>
  writeStored(
    service,
    'UPDATE tenants SET modules = ?, revision = revision + 1 WHERE id = ?',
    JSON.stringify(modules),
    tenantId,
  )

test('returns the defaults of a new tenant without an envelope and without a user', async () => {
  const { id: tenantId } = await service.admin.createTenant({ name: 'New' })
  const { key } = await service.admin.createTenantKey({ tenantId })
  const { status, body, headers } = await request(service, line, { key })
  assert.equal(status, 200)
  assert.deepEqual(body, { auth: { methods: ['password'] }, otp: { length: 6 }, profileSchema: emptySchema })
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
})

test('settings of a later version, stored in a rolling upgrade, leave the others of their module in force', async () => {
  const tenant = await service.addTenant()
  const later = { later: { a: 1 } }
  const sender = { type: 'smtp', host: 'mail.example.com', port: 587, ...later }
  await plantModules(tenant, {
    auth: { methods: ['password'], guest: later, ...later },
    otp: { length: 8, ...later },
    security: { enumerationProtection: true, ...later },
    delivery: { smsCountries: ['FR'], email: [sender, sender], ...later },
    later: { a: 1 },
  })
  const { status, body } = await ask(tenant)
  assert.deepEqual([status, body.auth, body.otp, body.later], [200, { methods: ['password'] }, { length: 8 }, { a: 1 }])
  await tenant.client.resetPassword({ step: 'challenge', email: 'nobody@example.com' })
  const { configuration } = (await service.service.services.snapshots.find(tenant.tenantId))!
  const { smsCountries, email } = configuration.delivery
  assert.deepEqual([smsCountries, email?.length], [['FR'], 2])
})

test('does not change the database', async () => {
  const tenant = await service.addTenant()
  await changesNothing(service, () => ask(tenant))
})

test('omits the schema only for exactly the current version', async () => {
  const tenant = await service.addTenant()
  const components = [{ name: 'firstName', type: 'text' as const, label: { default: 'First name', fr: 'Prénom' } }]
  const forms = { signUp: { fields: ['firstName'], required: ['firstName'] } }
  const schema = { version: '2026-01b', components, presentation: [{ section: 'about', fields: ['firstName'] }], forms }
  const migrations = [{ drop: 'fax' }]
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { ...schema, migrations })

  const held = await ask(tenant, '?schemaVersion=2026-01b')
  assert.deepEqual(Object.keys(held.body), ['auth', 'otp'])
  const absentOrOther = [
    ...['', '?schemaVersion=', '?schemaVersion', '?other=2026-01b', '?SchemaVersion=2026-01b'],
    ...['?schemaVersion=1', '?schemaVersion=2026-01B', '?schemaVersion=2026-01b%20', '?schemaVersion=%202026-01b'],
    ...['?schemaVersion=2026-01b&schemaVersion=2026-01b', '?schemaVersion[]=2026-01b', '?__proto__=2026-01b'],
    `?schemaVersion=${'2026-01b'.repeat(900)}`,
  ]
  for (const query of absentOrOther) {
    const { status, body } = await ask(tenant, query)
    assert.deepEqual([query, status, body.profileSchema], [query, 200, schema])
  }
})

test('sends a strong entity tag that differs with the body and answers a match with an empty 304', async () => {
  const tenant = await service.addTenant()
  const full = await ask(tenant)
  const etag = full.headers.get('etag')!
  assert.match(etag, /^"[\w-]{27}"$/)
  const held = await ask(tenant, '?schemaVersion=1')
  assert.notEqual(held.headers.get('etag'), etag)
  for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, text, headers } = await ask(tenant, '', { 'if-none-match': ifNoneMatch })
    assert.deepEqual([status, text, headers.get('etag')], [304, '', etag])
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.match(headers.get('vary')!, /X-Tenant-Key/)
  }
  for (const ifNoneMatch of ['"other"', etag.slice(1, -1), held.headers.get('etag')!]) {
    assert.equal((await ask(tenant, '', { 'if-none-match': ifNoneMatch })).status, 200)
  }
  await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { otp: { length: 8 } })
  const changed = await ask(tenant, '', { 'if-none-match': etag })
  assert.deepEqual([changed.status, changed.body.otp], [200, { length: 8 }])
})

test('answers HEAD with the length of the body, also when the client holds it', async () => {
  const tenant = await service.addTenant()
  const head = async (headers: Record<string, string> = {}) => {
    const sent = { method: 'HEAD', headers: { 'x-tenant-key': tenant.key, ...headers } }
    const { status, headers: got } = await fetch(`${service.baseUrl}/tenant-configuration`, sent)
    return { status, length: got.get('content-length'), etag: got.get('etag')! }
  }
  const { status, length, etag } = await head()
  assert.deepEqual([status, length], [200, `${(await ask(tenant)).text.length}`])
  assert.deepEqual(await head({ 'if-none-match': etag }), { status: 304, length, etag })
})

test('prevents caches from serving one tenant’s configuration to another', async () => {
  const one = await service.addTenant({ configuration: { theme: { name: 'One' } } })
  const two = await service.addTenant({ configuration: { theme: { name: 'Two' } } })
  const answer = await ask(one)
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
  assert.match(answer.headers.get('vary')!, /(^|, )X-Tenant-Key(,|$)/)
  const { status, body } = await ask(two, '', { 'if-none-match': answer.headers.get('etag')! })
  assert.deepEqual([status, body.theme.name], [200, 'Two'])
})

test('shows an admin API change in the next request, also in another process', async () => {
  const shared = { database: service.database, masterKeys: service.masterKeys }
  await using second = await startTestService(shared)
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const seesEverywhere = async (look: (body: Record<string, unknown>) => unknown, expected: unknown) => {
    for (const process of [service, second]) {
      const { body } = await request(process, line, { key: tenant.key })
      assert.deepEqual(look(body), expected)
    }
  }
  await seesEverywhere((body) => body['auth'], { methods: ['password', 'otp'] })
  await service.admin.updateConfiguration({ tenantId }, { auth: { methods: ['guest'] } })
  await seesEverywhere((body) => body['auth'], { methods: ['guest'] })
  await second.admin.replaceConfiguration({ tenantId }, { auth: { methods: [] }, otp: { length: 4 } })
  await seesEverywhere((body) => [body['auth'], body['otp']], [{ methods: [] }, { length: 4 }])
  await service.admin.publishProfileSchema({ tenantId }, { version: 'new', components: [] })
  await seesEverywhere((body) => body['profileSchema'], { ...emptySchema, version: 'new' })
})

test('returns custom modules and upload unchanged', async () => {
  const theme = { colours: ['#fff', null, 1.5], nested: { deep: { enough: true } }, otp: 'x' }
  const upload = { allowedTypes: ['image/png', 'image/*'], maxSize: 5_242_880 }
  const tenant = await service.addTenant({ configuration: { theme, upload, 'feature-x': false, motto: '' } })
  const { profileSchema: _schema, ...shown } = (await ask(tenant)).body
  assert.deepEqual(shown, {
    auth: { methods: ['password', 'otp'] },
    otp: { length: 6 },
    upload,
    theme,
    'feature-x': false,
    motto: '',
  })
})

test('never returns other settings, even from modules with secrets planted in them', async () => {
  const tenant = await service.addTenant()
  const secrets = { smtp: { password: 'canary-smtp' }, webhookSecret: 'canary-hook' }
  await plantModules(tenant, {
    auth: { methods: ['password'] },
    otp: { length: 6, ttlSeconds: 599, maxResends: 7 },
    upload: { allowedTypes: [], maxSize: 1, accessKey: 'canary-upload' },
    security: { allowedOrigins: ['https://canary.example'], enumerationProtection: true, ...secrets },
    delivery: { defaultLocale: 'fr', ...secrets },
    $senderSecrets: { 'email.smtp.password': 'canary-sealed' },
  })
  const { text, body } = await ask(tenant)
  const upload = { allowedTypes: [], maxSize: 1 }
  assert.deepEqual(body, { auth: { methods: ['password'] }, otp: { length: 6 }, upload, profileSchema: emptySchema })
  assert.doesNotMatch(text, /canary|599|allowedOrigins|delivery|security/)
})

test('answers TENANT_NOT_CONFIGURED without a valid auth and OTP module', async () => {
  const tenant = await service.addTenant()
  const auth = { methods: ['password'] }
  const invalid = [
    {},
    { auth },
    { otp: { length: 6 } },
    { auth: { methods: ['telepathy'] }, otp: {} },
    { auth: { methods: 'password' }, otp: {} },
    { auth, otp: { length: 3 } },
    { auth, otp: { length: 3, later: 1 } },
  ]
  for (const modules of invalid) {
    await plantModules(tenant, modules)
    const { status, body } = await ask(tenant)
    assert.deepEqual([status, body.error?.code], [500, 'TENANT_NOT_CONFIGURED'], JSON.stringify(modules))
    await refused(tenant.client.getTenantConfiguration({ schemaVersion: '1' }), 'TENANT_NOT_CONFIGURED')
  }
  await service.admin.replaceConfiguration({ tenantId: tenant.tenantId }, { auth: { methods: [] }, otp: {} })
  assert.equal((await ask(tenant)).status, 200)
})

test('ignores the user token, valid or not', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const plain = await ask(tenant)
  for (const token of [(await person.signIn()).accessToken, 'no.jwt.here']) {
    const { status, text } = await request(service, line, { key: tenant.key, token })
    assert.deepEqual([status, text], [200, plain.text])
  }
})
