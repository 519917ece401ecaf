import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { refuse } from '../../server/core/service-error.ts'
import type { ProfileIndexStore } from '../../server/profiles/index/profile-index.ts'
import { SchemaBuilds } from '../../server/profiles/index/schema-builds.ts'
import { saveProfile } from '../../server/profiles/save-profile.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { recordedAfter } from '../support/events/recorded-events.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const nick = { name: 'nick', type: 'text' } as const
const plain: ProfileSchemaInput = { components: [nick] }
const unique: ProfileSchemaInput = { components: [{ ...nick, unique: true }] }

/** A tenant whose users have these nicknames, and writers that do not know what is published from now on. */
async function tenantWith(nicks: readonly string[], schema: ProfileSchemaInput) {
  const { clock, services } = { clock: service.clock, services: service.service.services }
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  await service.admin.publishProfileSchema({ tenantId }, schema)
  const userIds: string[] = []
  for (const value of nicks) {
    const { userId } = await addPerson(service, tenant)
    await service.admin.updateUserProfile({ tenantId, userId }, { nick: value })
    userIds.push(userId)
    // Ids of one millisecond are in no order.
    service.clock.advance(1)
  }
  const stores = services.storage.forTenant(tenantId)
  const old = (await services.snapshots.find(tenantId))!
  const writer = {
    ...{ now: clock.now(), source: { now: clock.now(), background: old } },
    ...{ refuse, operator: true, maxBytes: 9_999 },
  }
  return {
    tenantId,
    userIds,
    stores,
    saveStale: (user: number, value: string) => saveProfile(stores, userIds[user]!, { nick: value }, old, writer),
    claims: () =>
      storedRows(service, 'SELECT user_id FROM profile_unique WHERE tenant_id = ? ORDER BY user_id', tenantId),
  }
}

/** Begins to build a version with unique nicknames, as a process of a release before operators had names. */
async function beginBuild({ stores: { tenant } }: Awaited<ReturnType<typeof tenantWith>>) {
  const { profileSchema, revision } = (await tenant.configuration())!
  const components = [{ ...nick, unique: true }]
  const version = {
    ...profileSchema,
    ...{ ordinal: 3, schema: { ...profileSchema.schema, version: 'x', components } },
    ...{ indexKeys: { nick: 'nick@3' }, publishedBy: 'admin' },
  }
  assert.ok(await tenant.startBuild(version, revision, service.clock.now()))
  return version
}

for (const [nicks, state, type] of [
  [['a', 'b'], 'current', 'profile_schema.built'],
  [['a', 'A'], 'failed', 'profile_schema.failed'],
] as const) {
  test(`processes that build a version at the same time end it once: ${state}`, async () => {
    const tenant = await tenantWith(nicks, plain)
    const version = await beginBuild(tenant)
    const { services } = service.service
    const processes = [services.schemaBuilds, new SchemaBuilds(services)]
    const results = await Promise.all(processes.map((builds) => builds.build(tenant.tenantId, version)))
    assert.deepEqual(
      results.map((result) => result.state),
      [state, state],
    )
    const ended = recordedAfter(service.database, '').filter(
      (event) => event.log === tenant.tenantId && event.type === type,
    )
    assert.deepEqual(
      ended.map(({ actor, subject }) => [actor, subject]),
      [['operator root', 'profileSchema x']],
    )
  })
}

for (const [order, holder, next] of [
  ['of the same batch', 0, 1],
  ['of an earlier batch', 24, 0],
] as const) {
  test(`a value that its holder gave up during a build is free for a user ${order}`, async () => {
    const nicks = Array.from({ length: 25 }, (_, index) => `nick ${index}`)
    const tenant = await tenantWith(nicks, plain)
    const version = await beginBuild(tenant)
    const { tenantId, userIds } = tenant
    await service.admin.updateUserProfile({ tenantId, userId: userIds[holder]! }, { nick: 'z' })
    // These writers give up and take a value without indexing it.
    await tenant.saveStale(holder, 'given up')
    await tenant.saveStale(next, 'z')
    const { state } = await service.service.services.schemaBuilds.build(tenantId, version)
    assert.deepEqual([state, tenant.claims().length], ['current', 25])
  })
}

test('lists 100 pairs of users at most', async () => {
  const tenant = await tenantWith(
    Array.from({ length: 102 }, () => 'same'),
    plain,
  )
  const { state, duplicates, version } = await service.admin.publishProfileSchema(
    { tenantId: tenant.tenantId },
    { ...unique, version: 'x' },
  )
  assert.deepEqual([state, duplicates], ['failed', { nick: 1 }])
  const { conflicts } = await service.admin.readProfileSchemaVersion({ tenantId: tenant.tenantId, version })
  assert.equal(conflicts?.length, 100)
})

test('removes the entries that writers of an earlier version add after a first cleaning', async () => {
  const { schemaBuilds } = service.service.services
  const tenant = await tenantWith(['a'], unique)
  const { tenantId } = tenant
  for (const name of ['city', 'job']) {
    await service.admin.publishProfileSchema({ tenantId }, { components: [nick, { name, type: 'text' }] })
    await schemaBuilds.run()
    assert.equal(tenant.claims().length, 0)
    await tenant.saveStale(0, name)
    assert.equal(tenant.claims().length, 1)
    await schemaBuilds.run()
    assert.equal(tenant.claims().length, 0)
  }
})

test('keeps the entries of a build that begins while old ones are removed', async (t) => {
  const { schemaBuilds } = service.service.services
  // Tenants of other tests have nothing left to remove then.
  for (let cleaning = 0; cleaning < 2; cleaning++) await schemaBuilds.run()
  const tenant = await tenantWith(['a'], plain)
  const { userIds, stores } = tenant
  const { prototype } = stores.profileIndex.constructor as { prototype: ProfileIndexStore }
  const { nextField } = prototype
  async function beginFirst(this: ProfileIndexStore, after: string) {
    await beginBuild(tenant)
    await stores.profileIndex.claim([{ userId: userIds[0]!, field: 'nick@3', value: 'a' }])
    return nextField.call(this, after)
  }
  t.mock.method(prototype, 'nextField', beginFirst, { times: 1 })
  await schemaBuilds.run()
  assert.equal(tenant.claims().length, 1)
})
