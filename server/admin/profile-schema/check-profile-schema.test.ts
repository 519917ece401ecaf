import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { type Role, roles } from '../../../contract/scopes.ts'
import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { storeOperator } from '../../../test/support/stored-operator.ts'
import { newTenantWith, storeProfiles } from './stored-profiles.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = (schema: ProfileSchemaInput) => newTenantWith(service, schema)

test('reports a candidate that breaks nothing, and publishes nothing', async () => {
  const tenantId = await newTenant({ components: [{ name: 'a', type: 'text' }] })
  const candidate = {
    components: [
      { name: 'a', type: 'text' as const },
      { name: 'b', type: 'number' as const },
    ],
  }
  const report = await service.admin.checkProfileSchema({ tenantId }, candidate)
  assert.deepEqual(report, {
    effect: 'new',
    changes: [],
    profiles: 0,
    failingProfiles: 0,
    failingFields: {},
    uncastable: {},
    duplicates: {},
    untranslated: {},
    warnings: [],
  })
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '2')
})

test('reports changes by field and kind, and counts failing profiles by field', async () => {
  const tenantId = await newTenant({
    components: [
      { name: 'gone', type: 'text' },
      { name: 'retyped', type: 'text' },
      { name: 'narrowed', type: 'text' },
    ],
  })
  await storeProfiles(service, tenantId, '2', [
    { gone: 'x', retyped: 'y', narrowed: 'longer than five' },
    { narrowed: 'far too long' },
    { narrowed: 'short', retyped: null },
    {},
  ])
  const report = await service.admin.checkProfileSchema(
    { tenantId },
    {
      components: [
        { name: 'retyped', type: 'number' },
        { name: 'narrowed', type: 'text', rules: { maxLength: 5 }, required: true },
      ],
    },
  )
  assert.deepEqual(
    report.changes.map(({ field, kind }) => `${field} ${kind}`),
    ['gone removed', 'retyped retyped', 'narrowed narrowed', 'narrowed narrowed'],
  )
  assert.equal(report.profiles, 4)
  assert.equal(report.failingProfiles, 2)
  assert.deepEqual(report.failingFields, { retyped: 1, narrowed: 2 })
})

test('checks profiles as they would be migrated from their version', async () => {
  const tenantId = await newTenant({ components: [{ name: 'colour', type: 'text' }] })
  await storeProfiles(service, tenantId, '2', [{ colour: 'rouge' }, { colour: 'vert' }])
  await service.admin.publishProfileSchema(
    { tenantId },
    {
      components: [{ name: 'color', type: 'text' }],
      migrations: [{ rename: { from: 'colour', to: 'color' } }],
    },
  )
  await storeProfiles(service, tenantId, '3', [{ color: 'rouge' }, { color: 'blau' }])
  const options = [{ value: 'red' }, { value: 'green' }]
  const report = await service.admin.checkProfileSchema(
    { tenantId },
    {
      components: [{ name: 'color', type: 'select', options }],
      migrations: [{ map: { field: 'color', values: { rouge: 'red', vert: 'green' } } }],
    },
  )
  assert.equal(report.profiles, 4)
  assert.equal(report.failingProfiles, 1)
  assert.deepEqual(report.failingFields, { color: 1 })
})

test('applies the migrations of a published version once', async () => {
  const tenantId = await newTenant({
    components: [
      { name: 'a', type: 'number' },
      { name: 'c', type: 'text' },
    ],
  })
  await storeProfiles(service, tenantId, '2', [{ a: 1, c: 'text' }])
  // Applied twice, these steps would move the text into the number.
  const known: ProfileSchemaInput = {
    version: 'known',
    components: [
      { name: 'b', type: 'number' },
      { name: 'a', type: 'text' },
    ],
    migrations: [{ rename: { from: 'a', to: 'b' } }, { rename: { from: 'c', to: 'a' } }],
  }
  assert.equal((await service.admin.checkProfileSchema({ tenantId }, known)).failingProfiles, 0)
  await service.admin.publishProfileSchema({ tenantId }, known)
  assert.equal((await service.admin.checkProfileSchema({ tenantId }, known)).failingProfiles, 0)
  // Migrations of later versions do not count either: publishing it again would leave the later version current.
  const components = [{ name: 'b', type: 'number' as const }]
  const migrations = [{ rename: { from: 'a', to: 'b' } }]
  await service.admin.publishProfileSchema({ tenantId }, { components, migrations })
  assert.equal((await service.admin.checkProfileSchema({ tenantId }, known)).failingProfiles, 0)
})

test('names no changes for a version that is current or was, since publishing it again has no effect', async () => {
  const versions = ['1', '2', '3'].map((digit) => ({
    version: `v${digit}`,
    components: [{ name: 'a', type: 'text' as const }],
    migrations: [{ drop: 'a' }, { drop: digit === '2' ? 'b' : 'c' }],
  }))
  const tenantId = await newTenant(versions[0]!)
  const changesOf = async (schema: ProfileSchemaInput) =>
    (await service.admin.checkProfileSchema({ tenantId }, schema)).changes.map(({ field, kind }) => `${field} ${kind}`)
  assert.deepEqual(await changesOf(versions[0]!), [])
  assert.deepEqual(await changesOf({ ...versions[0]!, version: undefined }), [])
  assert.deepEqual(await changesOf(versions[1]!), ['a removed'])
  await service.admin.publishProfileSchema({ tenantId }, versions[1]!)
  assert.deepEqual(await changesOf(versions[0]!), [])
  assert.deepEqual(await changesOf(versions[2]!), ['a removed'])
})

test('counts the profiles whose values the candidate cannot cast, and names untranslated texts', async () => {
  const tenantId = await newTenant({ components: [{ name: 'age', type: 'text' }] })
  await storeProfiles(service, tenantId, '2', [{ age: '42' }, { age: 'unknown' }, { age: '4.5' }, { age: null }])
  const candidate: ProfileSchemaInput = {
    components: [
      { name: 'age', type: 'integer', label: { default: 'Age', fr: 'Âge' } },
      { name: 'city', type: 'text', label: 'City' },
    ],
    migrations: [{ cast: { field: 'age', to: 'integer' } }],
  }
  const report = await service.admin.checkProfileSchema({ tenantId }, candidate)
  assert.deepEqual([report.uncastable, report.failingFields], [{ age: 2 }, { age: 2 }])
  assert.deepEqual(report.untranslated, { fr: ['components.city.label'] })
  await service.admin.publishProfileSchema({ tenantId }, candidate)
  const again = await service.admin.checkProfileSchema({ tenantId }, candidate)
  assert.deepEqual(again.uncastable, { age: 2 }, 'profiles that are not migrated yet')
  const next = await service.admin.checkProfileSchema({ tenantId }, { components: [{ name: 'age', type: 'integer' }] })
  assert.deepEqual([next.uncastable, next.failingFields], [{}, { age: 2 }], 'steps of the current version do not count')
})

test('checks different content of a published version as a new version', async () => {
  const tenantId = await newTenant({ version: 'v', components: [{ name: 'a', type: 'text' }] })
  await storeProfiles(service, tenantId, 'v', [{ a: 'text' }])
  const candidate = { version: 'v', components: [{ name: 'a', type: 'number' as const }] }
  assert.equal((await service.admin.checkProfileSchema({ tenantId }, candidate)).failingProfiles, 1)
})

test('reads every profile of the tenant once, across pages, and none of another tenant', async () => {
  for (const count of [99, 100, 101, 200, 250]) {
    const tenantId = await newTenant({ components: [{ name: 'a', type: 'number' }] })
    await storeProfiles(
      service,
      tenantId,
      '2',
      Array.from({ length: count }, (_, index) => ({ a: index })),
    )
    const candidate = { components: [{ name: 'a', type: 'number' as const, rules: { max: 9 } }] }
    const report = await service.admin.checkProfileSchema({ tenantId }, candidate)
    assert.equal(report.profiles, count)
    assert.equal(report.failingProfiles, count - 10)
  }
})

test('rejects an invalid candidate', async () => {
  const tenantId = await newTenant({ components: [], version: 'x' })
  const wrong = { components: [{ name: 'createdAt', type: 'text' as const }] }
  await assert.rejects(service.admin.checkProfileSchema({ tenantId }, wrong), { code: 'VALIDATION_ERROR' })
})

test('counts for operators who may read profiles only, since conditions can ask for any value', async () => {
  const components: ProfileSchemaInput['components'] = [
    { name: 'nick', type: 'text' },
    { name: 'salary', type: 'integer', readable: false },
  ]
  const tenantId = await newTenant({ components })
  await storeProfiles(service, tenantId, '2', [
    { nick: 'ann', salary: 48_213 },
    { nick: 'bob', salary: 60_000 },
  ])
  // Fails for the profile of Ann if she earns at most this.
  const asking = (max: number): ProfileSchemaInput => {
    const requiredWhen = {
      all: [
        { field: 'nick', is: 'ann' },
        { field: 'salary', max },
      ],
    }
    return {
      components: [{ name: 'nick', type: 'text' }, components[1]!, { name: 'probe', type: 'text', requiredWhen }],
    }
  }
  const checkAs = async (role: Role, candidate: ProfileSchemaInput) => {
    const { key } = await storeOperator(service, { scopes: [...roles[role]] })
    return createTenantryAdmin({ baseUrl: service.adminUrl, adminKey: key }).checkProfileSchema({ tenantId }, candidate)
  }
  const failing = async (role: Role, max: number) => (await checkAs(role, asking(max))).failingProfiles
  assert.deepEqual([await failing('viewer', 48_213), await failing('viewer', 48_212)], [1, 0])
  const counts = { profiles: null, failingProfiles: null, failingFields: null, uncastable: null, duplicates: null }
  for (const max of [48_213, 48_212]) {
    const { effect, changes, untranslated, warnings, ...counted } = await checkAs('developer', asking(max))
    assert.deepEqual([effect, untranslated, warnings, counted], ['new', {}, [], counts])
    assert.deepEqual(
      changes.map(({ field, kind }) => `${field} ${kind}`),
      ['probe conditional'],
    )
  }
})
