import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = async () => (await service.admin.createTenant({ name: 'Test' })).id

/** Sends JSON text that the client could not serialise. */
async function send(method: 'PUT' | 'PATCH', tenantId: string, body: string) {
  const response = await fetch(`${service.baseUrl}/admin/tenants/${tenantId}/configuration`, {
    method,
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body,
  })
  return (await response.json()) as { data?: unknown; error?: { code: string; validation?: Record<string, string> } }
}

test('replaces the whole map by PUT', async () => {
  const tenantId = await newTenant()
  const modules = { auth: { methods: ['otp' as const] }, theme: { colours: ['#fff'], dark: null } }
  assert.deepEqual(await service.admin.replaceConfiguration({ tenantId }, modules), modules)
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), modules)
  assert.deepEqual(await service.admin.replaceConfiguration({ tenantId }, {}), {})
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), {})
})

test('merges a PATCH: objects member by member, null removes, arrays replace', async () => {
  const tenantId = await newTenant()
  const patch = (body: Record<string, unknown>) => service.admin.updateConfiguration({ tenantId }, body)
  await patch({ theme: { colours: { a: 1, b: 2 }, fonts: ['x', 'y'] } })
  await patch({ theme: { colours: { b: null, c: { d: null, e: 3 } }, fonts: ['z'] }, auth: { methods: ['otp'] } })
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), {
    auth: { methods: ['otp'] },
    otp: { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 },
    theme: { colours: { a: 1, c: { e: 3 } }, fonts: ['z'] },
  })
  assert.deepEqual(Object.keys(await patch({ otp: null, theme: null, never: null })), ['auth'])
  const before = await service.admin.readConfiguration({ tenantId })
  assert.deepEqual(await patch({}), before)
})

test('resets a removed setting to its default, and refuses to remove a required one', async () => {
  const tenantId = await newTenant()
  const patch = (body: Record<string, unknown>) => service.admin.updateConfiguration({ tenantId }, body)
  assert.equal((await patch({ otp: { length: 8 } })).otp?.length, 8)
  assert.equal((await patch({ otp: { length: null } })).otp?.length, 6)
  const refusal = { code: 'VALIDATION_ERROR', validation: { 'auth.methods': 'Required' } }
  await assert.rejects(patch({ auth: { methods: null } }), refusal)
})

test('validates the result of a PATCH like a PUT, reports all invalid fields together, and changes nothing when refused', async () => {
  const tenantId = await newTenant()
  const wrong = {
    auth: { methods: ['password', 'carrier pigeon'], apple: { clientIds: [] } },
    otp: { length: 11, ttlSeconds: '600', surprise: 1 },
    security: { allowedOrigins: ['https://a.example/path'] },
    Meta: {},
    OTP: {},
    '1st': {},
  }
  const validation = {
    'auth.methods.1': 'Invalid enum value',
    'auth.apple.clientIds': 'Give at least one client id, or leave the provider out',
    'otp.length': 'Validation rule not met',
    'otp.ttlSeconds': 'Expected number, received string',
    'otp.surprise': 'Unrecognized key',
    'security.allowedOrigins.0': 'Expected an origin such as https://app.example.com',
  }
  const before = await service.admin.readConfiguration({ tenantId })
  const refusal = { code: 'VALIDATION_ERROR', validation }
  await assert.rejects(service.admin.updateConfiguration({ tenantId }, wrong), refusal)
  await assert.rejects(service.admin.replaceConfiguration({ tenantId }, wrong as never), refusal)
  for (const key of ['Meta', 'OTP', '1st', 'profileSchema', 'constructor']) {
    await assert.rejects(
      service.admin.updateConfiguration({ tenantId }, { [key]: {} }),
      { code: 'VALIDATION_ERROR' },
      key,
    )
  }
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), before)
})

const reserved = 'This name is reserved for a later version; choose another module name'
const reservedNames =
  'audit webhooks mfa passkeys sessions uploads profile profiles forms hooks captcha branding links legal locales organizations operators limits privacy'

test('refuses a module with a reserved name, in any letter case', async () => {
  const tenantId = await newTenant()
  const before = await service.admin.readConfiguration({ tenantId })
  for (const name of reservedNames.split(' ')) {
    for (const spelling of [name, name.toUpperCase(), `${name[0]!.toUpperCase()}${name.slice(1)}`]) {
      const refusal = { code: 'VALIDATION_ERROR', validation: { [spelling]: reserved } }
      await assert.rejects(service.admin.updateConfiguration({ tenantId }, { [spelling]: {} }), refusal)
      await assert.rejects(service.admin.replaceConfiguration({ tenantId }, { [spelling]: {} }), refusal)
      await assert.rejects(service.admin.replaceConfiguration({ tenantId }, { [spelling]: null }), refusal)
    }
  }
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), before)
  const near = { event: {}, 'audit-log': {}, mfa2: {}, own: { events: {}, limits: null } }
  assert.deepEqual(await service.admin.replaceConfiguration({ tenantId }, near), near)
})

test('returns a stored module with a reserved name, and removes it by PATCH', async () => {
  const { tenantId, client } = await service.addTenant()
  const { tenant } = service.service.services.storage.forTenant(tenantId)
  const { revision, modules } = (await tenant.configuration())!
  const stored = { ...modules, links: { help: 'https://example.com/help' } }
  assert.ok(await tenant.replaceModules(stored, revision, service.clock.now()))
  assert.deepEqual(await service.admin.readConfiguration({ tenantId }), stored)
  assert.deepEqual((await client.getTenantConfiguration())['links'], stored.links)
  assert.deepEqual(await service.admin.updateConfiguration({ tenantId }, { own: 1 }), { ...stored, own: 1 })
  const refusal = { code: 'VALIDATION_ERROR', validation: { links: reserved } }
  await assert.rejects(service.admin.updateConfiguration({ tenantId }, { links: { help: null } }), refusal)
  await assert.rejects(service.admin.replaceConfiguration({ tenantId }, stored), refusal)
  assert.deepEqual(await service.admin.updateConfiguration({ tenantId }, { links: null }), { ...modules, own: 1 })
})

test('refuses numbers that JSON cannot represent, NUL and lone surrogates, by their path', async () => {
  const tenantId = await newTenant()
  const number = 'This number cannot be kept exactly: send it as a string'
  const body = '{"own": {"big": 1e400, "list": [9007199254740993], "nul": "\\u0000", "lone": "\\ud800"}}'
  for (const method of ['PUT', 'PATCH'] as const) {
    const { error } = await send(method, tenantId, body)
    assert.equal(error?.code, 'VALIDATION_ERROR')
    const validation = {
      'own.big': number,
      'own.list.0': number,
      'own.nul': 'Invalid string',
      'own.lone': 'Invalid string',
    }
    assert.deepEqual(error.validation, validation)
  }
})

test('never changes a prototype: ignores or refuses prototype keys at the top level, refuses them below', async () => {
  const tenantId = await newTenant()
  for (const method of ['PUT', 'PATCH'] as const) {
    const top = await send(method, tenantId, '{"__proto__": {"polluted": 1}, "own": {"a": 1}}')
    assert.deepEqual((top.data as Record<string, unknown>)['own'], { a: 1 })
    const below = await send(method, tenantId, '{"own": {"b": {"__proto__": {"polluted": 1}}}}')
    assert.deepEqual(below.error?.validation, { 'own.b.__proto__': 'This name is reserved: choose another' })
    const inherited = await send(method, tenantId, '{"constructor": {"prototype": {"polluted": 1}}}')
    assert.equal(inherited.error?.code, 'VALIDATION_ERROR')
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.ok(!JSON.stringify(await service.admin.readConfiguration({ tenantId })).includes('polluted'))
})

test('loses no change of thirty concurrent PATCHes of different modules', async () => {
  const tenantId = await newTenant()
  const names = Array.from({ length: 30 }, (_, index) => `module${index}`)
  await Promise.all(names.map((name) => service.admin.updateConfiguration({ tenantId }, { [name]: { name } })))
  const stored = await service.admin.readConfiguration({ tenantId })
  for (const name of names) assert.deepEqual(stored[name], { name })
})

test('accepts concurrent PATCHes, PUTs, publications and renamings', async () => {
  const tenantId = await newTenant()
  const { admin } = service
  const turns = Array.from({ length: 10 }, (_, index) => index)
  await Promise.all(
    turns.flatMap((index) => [
      admin.updateConfiguration({ tenantId }, { [`patched${index}`]: {} }),
      admin.publishProfileSchema({ tenantId }, { components: [{ name: `field${index}`, type: 'text' }] }),
      admin.updateTenant({ tenantId }, { name: `Name ${index}` }),
    ]),
  )
  const stored = await admin.readConfiguration({ tenantId })
  for (const index of turns) assert.deepEqual(stored[`patched${index}`], {})
  for (let version = 2; version <= 11; version++) await admin.readProfileSchema({ tenantId }, { version: `${version}` })
})

test('returns a change in the next request of a client', async () => {
  const { tenantId, client } = await service.addTenant()
  await client.getTenantConfiguration()
  await service.admin.updateConfiguration({ tenantId }, { theme: { dark: true } })
  assert.deepEqual((await client.getTenantConfiguration())['theme'], { dark: true })
})

test('refuses a PATCH that grows a configuration beyond 1 MiB', async () => {
  const tenantId = await newTenant()
  const half = 'x'.repeat(600_000)
  await service.admin.updateConfiguration({ tenantId }, { one: half })
  await assert.rejects(service.admin.updateConfiguration({ tenantId }, { two: half }), {
    code: 'VALIDATION_ERROR',
    validation: { body: 'The configuration would be larger than 1 MiB' },
  })
  await service.admin.updateConfiguration({ tenantId }, { one: null, two: half })
})
