import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = async () => (await service.admin.createTenant({ name: 'Test' })).id
const withField = (name: string): ProfileSchemaInput => ({ components: [{ name, type: 'text' }] })

test('numbers schemas without a version; the same content again changes nothing', async () => {
  const tenantId = await newTenant()
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  const second = await publish(withField('a'))
  const document = { ...withField('a'), version: '2', presentation: [], forms: {}, migrations: [] }
  assert.deepEqual(second, { ...document, state: 'current', warnings: [] })
  assert.deepEqual(await publish(withField('a')), second)
  assert.equal((await publish(withField('b'))).version, '3')
  assert.equal((await publish(withField('a'))).version, '4')
  assert.deepEqual(await service.admin.readProfileSchema({ tenantId }, { version: '2' }), document)
})

test('ignores the order of keys, but not the order of components', async () => {
  const tenantId = await newTenant()
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  const one = {
    name: 'a',
    type: 'text',
    label: { default: 'A', fr: 'Â' },
    rules: { minLength: 2, maxLength: 9 },
  } as const
  const same = {
    rules: { maxLength: 9, minLength: 2 },
    label: { fr: 'Â', default: 'A' },
    type: 'text',
    name: 'a',
  } as const
  const other = { name: 'b', type: 'text' } as const
  const form = { title: 'Sign up', fields: ['a'] }
  const first = await publish({ components: [one, other], forms: { signUp: form, edit: form } })
  const again = await publish({ forms: { edit: form, signUp: form }, components: [same, other], presentation: [] })
  assert.equal(again.version, first.version)
  assert.notEqual((await publish({ components: [other, one] })).version, first.version)
})

test('refuses breaking changes if the request says so, and logs them', async () => {
  const lines: { changes: object[]; tenantId: string }[] = []
  const { services } = service.service
  const { logger } = services
  const tenantId = await newTenant()
  const publish = (schema: ProfileSchemaInput, ifBreaking?: 'allow' | 'refuse') =>
    service.admin.publishProfileSchema({ tenantId }, schema, { ifBreaking })
  await publish(withField('a'), 'refuse')
  const warn = mock.method(logger, 'warn', (line: (typeof lines)[number]) => void lines.push(line))
  await assert.rejects(publish({ ...withField('b'), version: 'b' }, 'refuse'), {
    code: 'PROFILE_SCHEMA_BREAKING',
    status: 409,
  })
  warn.mock.restore()
  const message = 'Not in the new schema; clients no longer see its values.'
  assert.deepEqual(lines, [{ tenantId, changes: [{ field: 'a', kind: 'removed', message }] }])
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '2')
  assert.equal((await publish(withField('a'), 'refuse')).version, '2', 'the same content changes nothing')
  const renamed = { ...withField('b'), migrations: [{ rename: { from: 'a', to: 'b' } }] }
  assert.equal((await publish(renamed, 'refuse')).version, '3')
  assert.equal((await publish(withField('c'), 'allow')).version, '4')
  assert.equal((await publish(withField('d'))).version, '5')
  const unknown = publish(withField('e'), 'perhaps' as 'allow')
  await assert.rejects(unknown, { code: 'VALIDATION_ERROR', validation: { ifBreaking: 'Invalid enum value' } })
})

test('skips versions in use when numbering', async () => {
  const tenantId = await newTenant()
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  await publish({ ...withField('a'), version: '3' })
  await publish({ ...withField('b'), version: '4' })
  assert.equal((await publish(withField('c'))).version, '5')
  assert.equal((await publish({ ...withField('d'), version: '2026-01' })).version, '2026-01')
  assert.equal((await publish(withField('e'))).version, '6')
})

test('refuses other content for a published version, and ignores the same content, even when it is no longer current', async () => {
  const tenantId = await newTenant()
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  const january = await publish({ ...withField('a'), version: '2026-01' })
  await publish({ ...withField('b'), version: '2026-02' })
  for (const version of ['2026-01', '2026-02']) {
    await assert.rejects(publish({ ...withField('z'), version }), {
      code: 'PROFILE_SCHEMA_VERSION_EXISTS',
      status: 409,
    })
  }
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '2026-02')
  assert.deepEqual(await publish({ ...withField('a'), version: '2026-01' }), { ...january, state: 'superseded' })
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '2026-02')
  assert.equal((await publish({ ...withField('a'), version: '2026-03' })).version, '2026-03')
  const numbered = await publish(withField('c'))
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, numbered.version)
})

test('publishing the current content stores nothing and keeps the revision', async () => {
  const { tenantId, client } = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId }, { ...withField('a'), version: 'x' })
  const { updatedAt } = await service.admin.getTenant({ tenantId })
  service.clock.advance(5000)
  await service.admin.publishProfileSchema({ tenantId }, { ...withField('a'), version: 'x' })
  await service.admin.publishProfileSchema({ tenantId }, withField('a'))
  assert.equal((await service.admin.getTenant({ tenantId })).updatedAt, updatedAt)
  assert.equal((await client.getTenantConfiguration()).profileSchema?.version, 'x')
})

test('returns the new schema in the next request of a client, without its migrations', async () => {
  const { tenantId, client } = await service.addTenant()
  assert.equal((await client.getTenantConfiguration({ schemaVersion: '1' })).profileSchema, undefined)
  await service.admin.publishProfileSchema({ tenantId }, { ...withField('a'), migrations: [{ drop: 'old' }] })
  const { profileSchema } = await client.getTenantConfiguration({ schemaVersion: '1' })
  assert.deepEqual(profileSchema, { ...withField('a'), version: '2', presentation: [], forms: {} })
})

test('refuses an invalid schema with all its problems, and publishes nothing', async () => {
  const tenantId = await newTenant()
  const wrong = {
    components: [
      { name: 'id', type: 'text' as const },
      { name: 'a', type: 'text' as const, rules: { nope: 1 } },
    ],
  }
  const publication = service.admin.publishProfileSchema({ tenantId }, wrong as never)
  await assert.rejects(publication, (error: { code: string; validation: Record<string, string> }) => {
    assert.equal(error.code, 'VALIDATION_ERROR')
    assert.deepEqual(Object.keys(error.validation).sort(), ['components.0.name', 'components.a.rules.nope'])
    return true
  })
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '1')
})

test('answers 404 for a version that this tenant never published', async () => {
  const tenantId = await newTenant()
  const other = await newTenant()
  await service.admin.publishProfileSchema({ tenantId }, { ...withField('a'), version: 'mine' })
  for (const version of ['nope', 'mine']) {
    const refusal = { code: 'PROFILE_SCHEMA_VERSION_NOT_FOUND', status: 404 }
    await assert.rejects(service.admin.readProfileSchema({ tenantId: other }, { version }), refusal)
  }
})

test('creates ten readable versions for ten concurrent publications', async () => {
  const tenantId = await newTenant()
  const names = Array.from({ length: 10 }, (_, index) => `field${index}`)
  const published = await Promise.all(
    names.map((name) => service.admin.publishProfileSchema({ tenantId }, withField(name))),
  )
  assert.equal(new Set(published.map(({ version }) => version)).size, 10)
  for (const { state: _state, warnings: _warnings, ...schema } of published) {
    assert.deepEqual(await service.admin.readProfileSchema({ tenantId }, { version: schema.version }), schema)
  }
})

test('creates one version for ten concurrent publications of the same content', async () => {
  const tenantId = await newTenant()
  const publish = () => service.admin.publishProfileSchema({ tenantId }, withField('a'))
  const published = await Promise.all(Array.from({ length: 10 }, publish))
  assert.deepEqual(new Set(published.map(({ version }) => version)), new Set(['2']))
})
