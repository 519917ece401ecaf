import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { newTenantWith } from './stored-profiles.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = (schema: ProfileSchemaInput) => newTenantWith(service, schema)

test('says what publishing would do with a version that exists', async () => {
  const a = { name: 'a', type: 'text' as const }
  const first: ProfileSchemaInput = { version: 'first', components: [a] }
  const tenantId = await newTenant(first)
  const effectOf = async (schema: ProfileSchemaInput) =>
    (await service.admin.checkProfileSchema({ tenantId }, schema)).effect
  const other = { components: [a, { name: 'b', type: 'text' as const }] }
  assert.equal(await effectOf(first), 'unchanged')
  assert.equal(await effectOf({ components: [a] }), 'unchanged')
  assert.equal(await effectOf({ ...other, version: 'first' }), 'taken')
  assert.equal(await effectOf(other), 'new')
  await service.admin.publishProfileSchema({ tenantId }, { ...other, version: 'second' })
  assert.equal(await effectOf(first), 'superseded')
  assert.equal(await effectOf({ components: [a] }), 'new')
  const path = { tenantId }
  await assert.rejects(service.admin.publishProfileSchema(path, { ...other, version: 'first' }), {
    code: 'PROFILE_SCHEMA_VERSION_EXISTS',
  })
  assert.equal((await service.admin.publishProfileSchema(path, first)).state, 'superseded')
})

test('says that publishing has to wait while another version is building', async () => {
  const tenantId = await newTenant({ components: [{ name: 'a', type: 'text' }] })
  const { tenant } = service.service.services.storage.forTenant(tenantId)
  const { profileSchema, revision } = (await tenant.configuration())!
  const schema = { ...profileSchema.schema, version: 'building' }
  const version = { ...profileSchema, ordinal: profileSchema.ordinal + 1, schema, indexKeys: { a: 'a' } }
  assert.ok(await tenant.startBuild(version, revision, service.clock.now()))
  const other: ProfileSchemaInput = { components: [{ name: 'b', type: 'text' }] }
  assert.equal((await service.admin.checkProfileSchema({ tenantId }, other)).effect, 'waiting')
  await refused(service.admin.publishProfileSchema({ tenantId }, other), 'PROFILE_SCHEMA_BUILDING')
})
