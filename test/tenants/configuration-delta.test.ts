import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { applyProfileSchemaDelta } from '../../contract/profile-schema-delta.ts'
import { changesNothing, writeStored } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const ask = ({ key }: TestTenant, query = '', headers: Record<string, string> = {}) =>
  request(service, `GET /tenant-configuration${query}`, { key, headers })

/** A schema of 20 fields and some more. */
const schemaOf = (version: string, ...more: ProfileSchemaInput['components']): ProfileSchemaInput => ({
  version,
  components: [
    ...Array.from({ length: 20 }, (_, index) => ({
      name: `field${index}`,
      type: 'text' as const,
      label: { default: `Field ${index}`, fr: `Champ ${index}`, 'FR-ca': `Champ ${index} (CA)` },
    })),
    ...more,
  ],
  presentation: [{ section: 'all', title: { default: 'All', fr: 'Tout' }, fields: ['field0'] }],
  forms: { signUp: { fields: ['field1'] } },
})

async function publish({ tenantId }: TestTenant, ...schemas: ProfileSchemaInput[]): Promise<void> {
  for (const schema of schemas) await service.admin.publishProfileSchema({ tenantId }, schema)
}

test('sends what changed since a recent version, if the client asks for it', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('12'))
  const { profileSchema: held } = (await ask(tenant)).body
  const changed = { ...schemaOf('14', { name: 'vat', type: 'text' }), forms: { next: { fields: ['vat'] } } }
  await publish(tenant, schemaOf('13', { name: 'fax', type: 'phone' }), changed)

  const { status, body, headers } = await ask(tenant, '?schemaVersion=12&schemaDelta=true')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['auth', 'otp', 'profileSchemaDelta'])
  assert.deepEqual(body.profileSchemaDelta, {
    from: '12',
    to: '14',
    components: { set: [{ name: 'vat', type: 'text' }], remove: [], order: null },
    presentation: null,
    forms: { set: { next: { fields: ['vat'] } }, remove: ['signUp'] },
  })
  const whole = await ask(tenant, '?schemaVersion=12')
  assert.deepEqual(applyProfileSchemaDelta(held, body.profileSchemaDelta), whole.body.profileSchema)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.notEqual(headers.get('etag'), whole.headers.get('etag'))
  const etag = headers.get('etag')!
  const unchanged = await ask(tenant, '?schemaVersion=12&schemaDelta=true', { 'if-none-match': etag })
  assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
})

test('sends the whole schema unless a delta is asked for and possible', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'), schemaOf('b', { name: 'vat', type: 'text' }))
  const plain = await ask(tenant)
  assert.ok('profileSchemaDelta' in (await ask(tenant, '?schemaVersion=a&schemaDelta=true&locale=fr')).body)
  const queries = [
    ...[
      '?schemaVersion=a',
      '?schemaDelta=true',
      '?schemaVersion=nope&schemaDelta=true',
      '?schemaVersion=&schemaDelta=true',
    ],
    ...['TRUE', '1', 'false', '', 'true%20', 'true&schemaDelta=true'].map(
      (value) => `?schemaVersion=a&schemaDelta=${value}`,
    ),
    ...['A', 'a%20', 'a%20fr', 'fr%20a', 'a%00', '__proto__', '%27', 'a&schemaVersion=a'].map(
      (value) => `?schemaDelta=true&schemaVersion=${value}`,
    ),
    '?schemaVersion[]=a&schemaDelta=true',
    '?schemaVersion=a&schemadelta=true',
  ]
  for (const query of queries) {
    const { status, text, headers } = await ask(tenant, query)
    assert.deepEqual([query, status, text], [query, 200, plain.text])
    assert.equal(headers.get('etag'), plain.headers.get('etag'))
  }
  const held = await ask(tenant, '?schemaVersion=b&schemaDelta=true')
  assert.deepEqual(Object.keys(held.body), ['auth', 'otp'])
  // Most of it changed.
  await publish(tenant, { version: 'c', components: schemaOf('c').components.slice(12) })
  const smaller = await ask(tenant, '?schemaVersion=b&schemaDelta=true')
  assert.ok('profileSchemaDelta' in smaller.body)
  await publish(tenant, { version: 'd', components: [{ name: 'other', type: 'url' }] })
  assert.ok('profileSchema' in (await ask(tenant, '?schemaVersion=b&schemaDelta=true')).body)
})

test('knows the last 20 versions, the current one included', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, ...Array.from({ length: 21 }, (_, index) => schemaOf(`v${index}`, ...fieldsUpTo(index))))
  const hasDelta = async (version: string) =>
    'profileSchemaDelta' in (await ask(tenant, `?schemaVersion=${version}&schemaDelta=true`)).body
  assert.deepEqual([await hasDelta('v0'), await hasDelta('v1'), await hasDelta('v19')], [false, true, true])
})

test('knows no version that was never current', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'), schemaOf('b', { name: 'vat', type: 'text' }), schemaOf('c'))
  const states = { a: null, b: 'failed' }
  for (const [version, state] of Object.entries(states)) {
    await writeStored(
      service,
      'UPDATE profile_schemas SET state = ? WHERE tenant_id = ? AND version = ?',
      state,
      tenant.tenantId,
      version,
    )
  }
  for (const [version, state] of Object.entries(states)) {
    const { body } = await ask(tenant, `?schemaVersion=${version}&schemaDelta=true`)
    assert.equal('profileSchemaDelta' in body, state === null, version)
  }
})

const fieldsUpTo = (count: number) =>
  Array.from({ length: count % 4 }, (_, index) => ({ name: `more${index}`, type: 'date' as const }))

test('shows the operator’s notes neither in the schema nor in a delta', async () => {
  const tenant = await service.addTenant()
  const note = { name: 'creditRating', type: 'text' as const, readable: false, writable: false }
  const hidden = { name: 'reviewed', type: 'boolean' as const, readable: false }
  await publish(tenant, schemaOf('a', { ...note, readable: true }), schemaOf('b', note, hidden))
  assert.doesNotMatch((await ask(tenant)).text, /creditRating/)
  const { profileSchemaDelta } = (await ask(tenant, '?schemaVersion=a&schemaDelta=true')).body
  assert.deepEqual(profileSchemaDelta.components, { set: [hidden], remove: ['creditRating'], order: null })
  await publish(tenant, schemaOf('c', { ...note, rules: { maxLength: 3 } }, hidden))
  const unseen = (await ask(tenant, '?schemaVersion=b&schemaDelta=true')).body.profileSchemaDelta
  assert.deepEqual(unseen.components, { set: [], remove: [], order: null })
})

test('sends the texts of the schema in one language', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'))
  const plain = await ask(tenant)
  const labelIn = async (locale: string) => {
    const { status, body, headers } = await ask(tenant, `?locale=${locale}`)
    assert.equal(status, 200)
    const { label } = body.profileSchema.components[3]
    return [label, body.profileSchema.presentation[0].title, headers.get('content-language'), headers.get('etag')]
  }
  const [label, title, language, etag] = await labelIn('fr-BE')
  assert.deepEqual([label, title, language], ['Champ 3', 'Tout', 'fr'])
  assert.notEqual(etag, plain.headers.get('etag'))
  assert.deepEqual((await labelIn('FR-CA')).slice(0, 3), ['Champ 3 (CA)', 'Tout', 'FR-ca'])
  for (const unknown of ['de', 'x', 'default', '*', '%00', '%F0%9F%98%80', '__proto__', 'fr_FR', 'f'.repeat(4_000)]) {
    assert.deepEqual((await labelIn(unknown)).slice(0, 3), ['Field 3', 'All', null], unknown)
  }
  for (const absent of ['?locale=', '?locale', '?locale=fr&locale=fr', '?locale[]=fr', '?Locale=fr']) {
    assert.equal((await ask(tenant, absent)).text, plain.text, absent)
  }
  const match = await ask(tenant, '?locale=fr', { 'if-none-match': String(etag) })
  assert.deepEqual([match.status, match.headers.get('vary')], [304, 'X-Tenant-Key, Origin'])
  assert.equal((await ask(tenant, '?locale=de', { 'if-none-match': String(etag) })).status, 200)
  assert.deepEqual(Object.keys((await ask(tenant, '?locale=fr&schemaVersion=a')).body), ['auth', 'otp'])
})

test('a delta in one language leads from and to schemas in that language', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'))
  const held = (await ask(tenant, '?locale=fr')).body.profileSchema
  await publish(tenant, schemaOf('b', { name: 'vat', type: 'text', label: { default: 'VAT', fr: 'TVA' } }))
  const { body, headers } = await ask(tenant, '?locale=fr&schemaVersion=a&schemaDelta=true')
  assert.equal(headers.get('content-language'), 'fr')
  assert.equal(body.profileSchemaDelta.components.set[0].label, 'TVA')
  const whole = (await ask(tenant, '?locale=fr')).body.profileSchema
  assert.deepEqual(applyProfileSchemaDelta(held, body.profileSchemaDelta), whole)
})

test('answers the changed configuration in every form at once', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'), schemaOf('b', { name: 'vat', type: 'text' }))
  const queries = ['?locale=fr', '?schemaVersion=a&schemaDelta=true', '?schemaVersion=a&schemaDelta=true&locale=fr']
  for (const length of [6, 8, 4]) {
    await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { otp: { length } })
    for (const query of queries) assert.equal((await ask(tenant, query)).body.otp.length, length)
  }
  await changesNothing(service, async () => {
    for (const query of queries) await ask(tenant, query)
  })
})

test('answers TENANT_NOT_CONFIGURED in every form', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, schemaOf('a'), schemaOf('b', { name: 'vat', type: 'text' }))
  await service.admin.replaceConfiguration({ tenantId: tenant.tenantId }, {})
  for (const query of ['?locale=fr', '?schemaVersion=a&schemaDelta=true', '?schemaVersion=b&schemaDelta=true']) {
    const { status, body } = await ask(tenant, query)
    assert.deepEqual([status, body.error?.code], [500, 'TENANT_NOT_CONFIGURED'])
  }
})
