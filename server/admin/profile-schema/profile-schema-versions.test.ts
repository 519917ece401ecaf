import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { ProfileMigration, ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { addPerson } from '../../../test/support/person.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const text = (name: string) => ({ name, type: 'text' as const })
const withField = (name: string, more: Partial<ProfileSchemaInput> = {}) => ({ components: [text(name)], ...more })

async function newTenant() {
  const { id: tenantId } = await service.admin.createTenant({ name: 'Test' })
  return {
    tenantId,
    publish: (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema),
    list: (query = {}) => service.admin.listProfileSchemaVersions({ tenantId }, query),
    diff: (from: string, to?: string) => service.admin.diffProfileSchemas({ tenantId }, { from, to }),
    read: (version: string) => service.admin.readProfileSchemaVersion({ tenantId, version }),
  }
}

test('lists versions with state, publisher and the profiles stored under each, newest first', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const created = new Date(service.clock.now()).toISOString()
  const client = await (await addPerson(service, tenant)).client()
  await client.updateProfile({})
  service.clock.advance(1000)
  const migrations: ProfileMigration[] = [{ drop: 'fax' }, { drop: 'telex' }]
  await service.admin.publishProfileSchema({ tenantId }, withField('a', { version: 'named', migrations }))
  const published = new Date(service.clock.now()).toISOString()
  const [newest, first, ...more] = (await service.admin.listProfileSchemaVersions({ tenantId })).items
  assert.deepEqual(more, [])
  const admin = { publishedBy: 'root' }
  const current = { version: 'named', ordinal: 2, state: 'current', publishedAt: published, ...admin }
  assert.deepEqual(newest, { ...current, fields: 1, migrations: 2, profiles: 0 })
  const superseded = { version: '1', ordinal: 1, state: 'superseded', publishedAt: created, ...admin }
  assert.deepEqual(first, { ...superseded, fields: 0, migrations: 0, profiles: 1 })
  await client.updateProfile({ a: 'x' })
  const counts = (await service.admin.listProfileSchemaVersions({ tenantId })).items.map(({ profiles }) => profiles)
  assert.deepEqual(counts, [1, 0])
})

test('counts the profiles that are not migrated to the current version yet', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const progress = () => service.admin.readProfileMigration({ tenantId })
  assert.deepEqual(await progress(), { version: '1', profiles: 0, pending: 0 })
  const [ada, grace] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  for (const person of [ada, grace]) await (await person.client()).updateProfile({})
  assert.deepEqual(await progress(), { version: '1', profiles: 2, pending: 0 })
  await service.admin.publishProfileSchema({ tenantId }, withField('a', { version: 'named' }))
  assert.deepEqual(await progress(), { version: 'named', profiles: 2, pending: 2 })
  await (await ada.client()).updateProfile({ a: 'x' })
  assert.deepEqual(await progress(), { version: 'named', profiles: 2, pending: 1 })
  await assert.rejects(service.admin.readProfileMigration({ tenantId: 'none' }), { code: 'TENANT_NOT_FOUND' })
})

test('lists versions in pages, and refuses cursors that no page returned', async () => {
  const { publish, list } = await newTenant()
  for (const name of ['a', 'b', 'c']) await publish(withField(name))
  const first = await list({ limit: 3 })
  assert.deepEqual(
    first.items.map(({ version }) => version),
    ['4', '3', '2'],
  )
  const last = await list({ limit: 3, cursor: first.nextCursor })
  assert.deepEqual([last.items.map(({ version }) => version), last.nextCursor], [['1'], null])
  for (const cursor of ['x', Buffer.from('0').toString('base64url'), Buffer.from('1e3').toString('base64url')]) {
    const validation = { cursor: 'Validation rule not met' }
    await assert.rejects(list({ cursor }), { code: 'VALIDATION_ERROR', validation })
  }
})

test('reads the published document of a version with its state', async () => {
  const { publish, read } = await newTenant()
  const {
    state: _current,
    warnings: _none,
    ...second
  } = await publish(withField('a', { migrations: [{ drop: 'old' }] }))
  await publish(withField('b'))
  const { state, publishedAt, publishedBy, ...document } = await read('2')
  assert.deepEqual(document, second)
  assert.deepEqual([state, publishedBy, typeof publishedAt], ['superseded', 'root', 'string'])
  assert.equal((await read('3')).state, 'current')
  await assert.rejects(read('4'), { code: 'PROFILE_SCHEMA_VERSION_NOT_FOUND', status: 404 })
})

test('compares two versions through the migrations of every version between', async () => {
  const { publish, diff } = await newTenant()
  await publish(withField('a'))
  await publish(withField('b', { migrations: [{ rename: { from: 'a', to: 'b' } }] }))
  await publish(withField('c', { migrations: [{ rename: { from: 'b', to: 'c' } }] }))
  await publish(withField('d'))
  assert.deepEqual(await diff('2', '4'), { from: '2', to: '4', changes: [] })
  const removed = { kind: 'removed', message: 'Not in the new schema; clients no longer see its values.' }
  assert.deepEqual((await diff('2')).changes, [{ field: 'a', ...removed }])
  assert.deepEqual(await diff('3', '5'), { from: '3', to: '5', changes: [{ field: 'b', ...removed }] })
  assert.deepEqual((await diff('5', '5')).changes, [])
})

test('compares with the migrations of a version that failed, too', async () => {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, withField('a'))
  for (const _user of ['one', 'two'])
    await (await (await addPerson(service, tenant)).client()).updateProfile({ a: 'x' })
  const components = [{ ...text('b'), unique: true }]
  const migrations: ProfileMigration[] = [{ rename: { from: 'a', to: 'b' } }]
  const { state } = await service.admin.publishProfileSchema(tenant, { version: 'failed', components, migrations })
  const { changes } = await service.admin.diffProfileSchemas(tenant, { from: '2', to: 'failed' })
  const unique = 'Becomes unique; a value that another user has is refused.'
  assert.deepEqual([state, changes], ['failed', [{ field: 'a', kind: 'narrowed', message: unique }]])
})

test('refuses unknown versions, a missing one, and an earlier version as the later one', async () => {
  const { publish, diff, tenantId } = await newTenant()
  await publish(withField('a', { version: 'x' }))
  for (const pair of [['1', 'nope'], ['nope', '1'], ['nope']] as [string, string?][]) {
    await assert.rejects(diff(...pair), { code: 'PROFILE_SCHEMA_VERSION_NOT_FOUND', status: 404 })
  }
  const problem = 'published after "1"; migrations only go forward, so swap the two'
  await assert.rejects(diff('x', '1'), { code: 'VALIDATION_ERROR', validation: { from: problem } })
  const missing = service.admin.diffProfileSchemas({ tenantId }, {} as { from: string })
  await assert.rejects(missing, { code: 'VALIDATION_ERROR', validation: { from: 'Required' } })
})

const field = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  type: fc.constantFrom('text' as const, 'integer' as const),
  required: fc.boolean(),
})
const schema = fc.record({
  components: fc.uniqueArray(field, { selector: ({ name }) => name, maxLength: 3 }),
  drops: fc.subarray(['a', 'b', 'c']),
})

test('names the changes that check named before the version was published', async () => {
  const changes = fc.asyncProperty(schema, schema, async (one, other) => {
    const { tenantId, publish, diff } = await newTenant()
    const inputOf = ({ components, drops }: typeof one) => {
      const migrations: ProfileMigration[] = drops.map((drop) => ({ drop }))
      return { components, migrations }
    }
    const { version } = await publish(inputOf(one))
    const checked = await service.admin.checkProfileSchema({ tenantId }, inputOf(other))
    const published = await publish(inputOf(other))
    assert.deepEqual((await diff(version, published.version)).changes, checked.changes)
  })
  const c = { name: 'c' as const, type: 'text' as const, required: false }
  const dropsItsField = { components: [c], drops: ['c'] }
  await fc.assert(changes, { numRuns: 30, examples: [[dropsItsField, dropsItsField]] })
})
