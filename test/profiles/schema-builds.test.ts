import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { buildIndex } from '../../server/profiles/index/build-index.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { EventLoopTurns } from '../support/event-loop-turns.ts'
import { importInto } from '../support/import-into.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
/** Called for each statement. */
let onStatement: (name: string) => unknown = () => {}
before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void onStatement(name) } })
})
after(() => service.close())

const nick = { name: 'nick', type: 'text' } as const
const plain: ProfileSchemaInput = { components: [nick] }
const unique: ProfileSchemaInput = { components: [{ ...nick, unique: true, searchable: true }] }

/** A tenant whose users have these nicknames. */
async function tenantWith(nicks: readonly string[], schema = plain): Promise<TestTenant & { userIds: string[] }> {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, schema)
  const rows = nicks.map((value, index) => ({ email: `${index}@build.example`, profile: { nick: value } }))
  const { counts } = await importInto(service, tenant, rows)
  assert.equal(counts.imported, nicks.length)
  const { items } = await service.admin.listUsers({ tenantId: tenant.tenantId }, { limit: 200 })
  // Ids of one millisecond are in no order.
  const inOrder = items.toSorted((a, b) => Number.parseInt(a.email!, 10) - Number.parseInt(b.email!, 10))
  return { ...tenant, userIds: inOrder.map(({ id }) => id) }
}

const publish = ({ tenantId }: TestTenant, schema: ProfileSchemaInput) =>
  service.admin.publishProfileSchema({ tenantId }, schema)
const update = ({ tenantId }: TestTenant, userId: string, values: Record<string, string | null>) =>
  service.admin.updateUserProfile({ tenantId, userId }, values)
const stateOf = async ({ tenantId }: TestTenant, version: string) =>
  (await service.admin.readProfileSchemaVersion({ tenantId, version })).state
const entries = ({ tenantId }: TestTenant, table: 'profile_unique' | 'profile_search') =>
  storedRows(service, `SELECT * FROM ${table} WHERE tenant_id = ? ORDER BY user_id`, tenantId)

test('a newly unique field is claimed for stored profiles before the version is current', async () => {
  const tenant = await tenantWith(['a', 'b', 'c'])
  assert.equal((await publish(tenant, unique)).state, 'current')
  assert.deepEqual([entries(tenant, 'profile_unique').length, entries(tenant, 'profile_search').length], [3, 3])
  await refused(update(tenant, tenant.userIds[0]!, { nick: 'B' }), 'VALIDATION_ERROR')
  assert.equal((await publish(tenant, unique)).state, 'current', 'the same content again')
})

test('over equal values a version fails, changes nothing, and its name is free again', async () => {
  const tenant = await tenantWith(['a', 'A', 'b', 'c', 'C', ' c'])
  const { duplicates } = await service.admin.checkProfileSchema({ tenantId: tenant.tenantId }, unique)
  assert.deepEqual(duplicates, { nick: 2 })
  const failed = await publish(tenant, { ...unique, version: 'x' })
  assert.deepEqual([failed.state, failed.duplicates], ['failed', { nick: 2 }])
  const { tenantId, userIds } = tenant
  assert.equal((await service.admin.readProfileSchema({ tenantId })).version, '2')
  const { state, conflicts } = await service.admin.readProfileSchemaVersion({ tenantId, version: 'x' })
  assert.equal(state, 'failed')
  assert.deepEqual(
    conflicts?.map(({ field }) => field),
    ['nick', 'nick', 'nick'],
  )
  for (const { userIds: pair } of conflicts ?? []) assert.ok(pair.every((id) => userIds.includes(id)))
  await update(tenant, userIds[0]!, { nick: 'b' })
  await service.service.services.schemaBuilds.run()
  assert.deepEqual([entries(tenant, 'profile_unique'), entries(tenant, 'profile_search')], [[], []])

  for (const [index, value] of ['1', '2', '3', '4', '5', '6'].entries()) {
    await update(tenant, userIds[index]!, { nick: value })
  }
  const corrected = await publish(tenant, { ...unique, version: 'x' })
  assert.deepEqual([corrected.state, corrected.duplicates], ['current', undefined])
  assert.equal(entries(tenant, 'profile_unique').length, 6)
})

test('more than 2,000 profiles are indexed while users write, and another version has to wait', async () => {
  const tenant = await tenantWith(Array.from({ length: 2001 }, (_, index) => `nick ${index}`))
  let isOver = false
  const write = async (index: number) => {
    for (let at = index; !isOver; at += 4) await update(tenant, tenant.userIds[at % 190]!, { nick: `written ${at}` })
  }
  const writing = Promise.all([0, 1, 2, 3].map(write))
  const { state, version } = await publish(tenant, unique)
  assert.equal(state, 'building')
  const again = await publish(tenant, unique)
  assert.ok(again.version === version && again.state !== 'failed')
  if ((await stateOf(tenant, version)) === 'building') {
    await refused(publish(tenant, { components: [{ name: 'other', type: 'text' }] }), 'PROFILE_SCHEMA_BUILDING')
  }
  await update(tenant, tenant.userIds[199]!, { nick: 'changed' })
  await refused(update(tenant, tenant.userIds[198]!, { nick: 'Changed' }), 'VALIDATION_ERROR')
  await until(async () => (await stateOf(tenant, version)) === 'current')
  isOver = true
  await writing
  const profiles = storedRows(
    service,
    'SELECT user_id, content FROM profiles WHERE tenant_id = ? ORDER BY user_id',
    tenant.tenantId,
  )
  const values = profiles.map((row) => `${row['user_id']} ${JSON.parse(String(row['content'])).nick}`)
  const found = entries(tenant, 'profile_search').map((row) => `${row['user_id']} ${row['value']}`)
  assert.deepEqual(found.sort(), values.sort())
  assert.equal(entries(tenant, 'profile_unique').length, 2001)
})

test('the entries of a batch of profiles are read together, which on PostgreSQL saves round trips', async () => {
  const tenant = await tenantWith(Array.from({ length: 20 }, (_, n) => `${n}`))
  const reads = new EventLoopTurns()
  onStatement = (name) => name === 'profileIndex.uniqueOf' && reads.note()
  assert.equal((await publish(tenant, unique)).state, 'current')
  onStatement = () => {}
  assert.deepEqual([reads.calls, reads.turns], [20, 1])
})

test('renaming or mapping a unique field builds it under its new name, and removes the old entries', async () => {
  const tenant = await tenantWith(['a', 'b', 'c'], unique)
  const renamed = { ...nick, name: 'handle', unique: true } as const
  const migrations = [{ rename: { from: 'nick', to: 'handle' } }]
  assert.equal((await publish(tenant, { components: [renamed], migrations })).state, 'current')
  await refused(update(tenant, tenant.userIds[0]!, { handle: 'b' }), 'VALIDATION_ERROR')
  // Each value becomes another user's: without a name of its own in the index, the version could not be built.
  const mapped = [{ map: { field: 'handle', values: { a: 'b', b: 'c', c: 'a' } } }]
  assert.equal((await publish(tenant, { components: [renamed], migrations: mapped })).state, 'current')
  await service.service.services.schemaBuilds.run()
  assert.equal(entries(tenant, 'profile_unique').length, 3)
  assert.deepEqual(entries(tenant, 'profile_search'), [])
  await update(tenant, tenant.userIds[0]!, { handle: 'new' })
  await update(tenant, tenant.userIds[1]!, { handle: 'b' })
  await refused(update(tenant, tenant.userIds[2]!, { handle: 'b' }), 'VALIDATION_ERROR')
  assert.equal(entries(tenant, 'profile_unique').length, 3)
})

test('a version that changes nothing about unique fields is published without a build', async () => {
  const tenant = await tenantWith(['a', 'b'], unique)
  const before = entries(tenant, 'profile_unique')
  const more = { components: [...unique.components, { name: 'city', type: 'text' as const }] }
  assert.equal((await publish(tenant, more)).state, 'current')
  assert.deepEqual(entries(tenant, 'profile_unique'), before)
  await refused(update(tenant, tenant.userIds[0]!, { nick: 'B' }), 'VALIDATION_ERROR')
  const named = { components: [...unique.components, { name: 'toString', type: 'text' as const, searchable: true }] }
  assert.equal((await publish(tenant, named)).state, 'current', 'a field with the name of an inherited property')
})

/** A tenant with a build that a process began and did not finish. */
async function tenantWithBuild(changes: object = {}, before = plain): Promise<Awaited<ReturnType<typeof tenantWith>>> {
  const tenant = await tenantWith(['a', 'b', 'c'], before)
  const { tenant: store } = service.service.services.storage.forTenant(tenant.tenantId)
  const current = (await store.configuration())!
  const { version: _version, ...document } = current.profileSchema.schema
  const schema = { ...document, version: 'x', components: unique.components, ...changes }
  const indexKeys = Object.fromEntries(schema.components.map(({ name }) => [name, `${name}@3`]))
  const version = { ...current.profileSchema, ordinal: 3, schema, indexKeys }
  assert.ok(await store.startBuild(version, current.revision, service.clock.now()))
  return tenant
}

test('a build that a process did not finish is continued by housekeeping', async () => {
  const tenant = await tenantWithBuild()
  // A writer that knows the version claims for it before its profile is indexed.
  await update(tenant, tenant.userIds[0]!, { nick: 'z' })
  await refused(update(tenant, tenant.userIds[1]!, { nick: 'Z' }), 'VALIDATION_ERROR')
  assert.equal(await stateOf(tenant, 'x'), 'building')
  await service.service.services.schemaBuilds.run()
  assert.equal(await stateOf(tenant, 'x'), 'current')
  assert.equal(entries(tenant, 'profile_unique').length, 3)
})

test('the progress of a build counts the profiles that were indexed before', async () => {
  const tenant = await tenantWithBuild()
  const stores = service.service.services.storage.forTenant(tenant.tenantId)
  const { profileSchema: current, building } = (await stores.tenant.configuration())!
  const progress: number[] = []
  const onProgress = (profiles: number) => void progress.push(profiles)
  const pass = () => buildIndex(stores, { current, building: building! }, onProgress, () => false)
  const indexed = [(await pass())?.indexed, (await pass())?.indexed]
  assert.deepEqual(indexed, [3, 0])
  for (const userId of tenant.userIds) await service.admin.deleteUser({ tenantId: tenant.tenantId, userId })
  await pass()
  assert.deepEqual(progress, [3, 3])
})

test('a value that the building version moves is refused under the name that clients know', async () => {
  const components = [{ ...nick, name: 'handle', unique: true }]
  for (const step of [
    { rename: { from: 'nick', to: 'handle' } },
    { copy: { from: 'nick', to: 'handle' } },
    { split: { from: 'nick', separator: ' ', to: ['handle'] } },
    { join: { from: ['nick'], separator: ' ', to: 'handle' } },
  ]) {
    const tenant = await tenantWithBuild({ components, migrations: [step] })
    await update(tenant, tenant.userIds[0]!, { nick: 'z' })
    await invalid(update(tenant, tenant.userIds[1]!, { nick: 'Z' }), { nick: 'Validation rule not met' })
  }
})

test('a value that the building version moves is not refused under the name of a note', async () => {
  const before: ProfileSchemaInput = { components: [nick, { ...nick, name: 'note', readable: false, writable: false }] }
  const components = [{ ...nick, name: 'handle', unique: true }]
  for (const [step, changed, refusedAs] of [
    [{ join: { from: ['note', 'nick'], separator: ' ', to: 'handle' } }, 'nick', 'nick'],
    // Only the operator changes it.
    [{ copy: { from: 'note', to: 'handle' } }, 'note', 'handle'],
  ] as const) {
    const tenant = await tenantWithBuild({ components, migrations: [step] }, before)
    await update(tenant, tenant.userIds[0]!, { [changed]: 'z' })
    await invalid(update(tenant, tenant.userIds[1]!, { [changed]: 'Z' }), { [refusedAs]: 'Validation rule not met' })
  }
})

test('a build that a process did not finish is continued when its version is published again', async () => {
  const tenant = await tenantWithBuild()
  assert.equal((await publish(tenant, { ...unique, version: 'x' })).state, 'building')
  await until(async () => (await stateOf(tenant, 'x')) === 'current')
  assert.equal(entries(tenant, 'profile_unique').length, 3)
})

test('a process that was slower than another one indexes no profile that was written since the build ended', async () => {
  const tenant = await tenantWith(['a', 'b', 'c'], unique)
  const { storage, schemaBuilds, clock } = service.service.services
  const stores = storage.forTenant(tenant.tenantId)
  const { profileSchema: current, revision } = (await stores.tenant.configuration())!
  const migrations = [{ map: { field: 'nick', values: { a: 'b', b: 'c', c: 'd' } } }]
  const schema = { ...current.schema, version: 'x', migrations }
  const building = { ...current, ordinal: 3, schema, indexKeys: { nick: 'nick@3' } }
  assert.ok(await stores.tenant.startBuild(building, revision, clock.now()))
  await schemaBuilds.run()
  await publish(tenant, { components: [...unique.components, { name: 'city', type: 'text' }] })
  await importInto(service, tenant, [{ guest: true, profile: { nick: 'a' } }])
  const built = (table: 'profile_unique' | 'profile_search') =>
    entries(tenant, table).filter(({ field }) => field === 'nick@3')
  const before = [built('profile_unique'), built('profile_search')]
  assert.equal(
    await buildIndex(
      stores,
      { current, building },
      () => {},
      () => false,
    ),
    null,
  )
  assert.deepEqual([built('profile_unique'), built('profile_search')], before)
})
