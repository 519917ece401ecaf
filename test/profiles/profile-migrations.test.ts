import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { refuse } from '../../server/core/service-error.ts'
import { saveProfile } from '../../server/profiles/save-profile.ts'
import { changesNothing, storedRow } from '../support/databases/stored-rows.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { sendLate } from '../support/http/send-late.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
const statements: string[] = []
before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
})
after(() => service.close())

const text = (name: string) => ({ name, type: 'text' as const })
const first: ProfileSchemaInput = { version: '1.0', components: [text('firstName'), text('tier'), text('fax')] }
const second: ProfileSchemaInput = {
  version: '2.0',
  components: [text('givenName'), text('tier'), text('country')],
  migrations: [
    { rename: { from: 'firstName', to: 'givenName' } },
    { drop: 'fax' },
    { default: { field: 'country', value: 'fr' } },
  ],
}
const third: ProfileSchemaInput = {
  version: '3.0',
  components: [text('givenName'), text('tier'), text('country')],
  migrations: [{ map: { field: 'tier', values: { gold: 'platinum', silver: 'gold' } } }],
}

async function tenantWithProfile() {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  await publish(first)
  const person = await addPerson(service, tenant)
  const { accessToken: token } = await person.signIn()
  const client = tenant.client.withSession(token)
  const profile = await client.updateProfile({ firstName: 'Jane', tier: 'silver', fax: '12' })
  const stored = () => {
    const row = storedRow(service, 'SELECT schema_version, content FROM profiles WHERE user_id = ?', person.userId)
    return { version: row['schema_version'], values: JSON.parse(String(row['content'])) }
  }
  return { tenantId, key: tenant.key, userId: person.userId, token, publish, client, profile, stored }
}

test('migrates a stored profile when it is read, without changing the stored row', async () => {
  const { tenantId, userId, publish, client, profile, stored } = await tenantWithProfile()
  await publish(second)
  const { id, createdAt, updatedAt } = profile
  const expected = { id, givenName: 'Jane', tier: 'silver', country: 'fr', createdAt, updatedAt }
  await changesNothing(service, async () => {
    assert.deepEqual(await client.getProfile(), expected)
    assert.deepEqual(await service.admin.readUserProfile({ tenantId, userId }), expected)
  })
  assert.deepEqual(stored(), { version: '1.0', values: { firstName: 'Jane', tier: 'silver', fax: '12' } })
})

test('reads the versions that profiles are migrated through once', async () => {
  const { tenantId, userId, publish, client, profile } = await tenantWithProfile()
  await publish(second)
  assert.equal((await client.getProfile())['givenName'], 'Jane')
  await publish(third)
  const versionsRead = async () => {
    statements.length = 0
    assert.equal((await client.getProfile())['tier'], 'gold')
    assert.equal((await service.admin.readUserProfile({ tenantId, userId }))['givenName'], profile['firstName'])
    return statements.filter((name) => name === 'tenant.findSchema' || name === 'tenant.schemasAfter')
  }
  assert.deepEqual(await versionsRead(), ['tenant.findSchema', 'tenant.schemasAfter'])
  await service.admin.updateTenant({ tenantId }, { name: 'Renamed' })
  assert.deepEqual(await versionsRead(), [], 'the tenant changed, its schema did not')
})

test('reads many versions a few at once', async () => {
  const { publish, client } = await tenantWithProfile()
  await publish(second)
  for (let version = 3; version <= 16; version++) {
    await publish({ ...second, version: `${version}.0`, migrations: [] })
  }
  statements.length = 0
  assert.equal((await client.getProfile())['givenName'], 'Jane')
  assert.equal(statements.filter((name) => name === 'tenant.schemasAfter').length, 2)
})

test('stores the migrated profile with the next update, so that no migration runs twice', async () => {
  const { publish, client, stored } = await tenantWithProfile()
  await publish(second)
  await publish(third)
  const migrated = { givenName: 'Jane', tier: 'gold', country: 'fr' }
  const { tier } = await client.getProfile()
  assert.equal(tier, 'gold')
  await client.updateProfile({})
  assert.deepEqual(stored(), { version: '3.0', values: migrated })
  const after = await client.updateProfile({ country: null })
  assert.deepEqual([after['tier'], after['country']], ['gold', null])
})

test('validates an update against the new version as soon as it is published', async () => {
  const { publish, client, stored } = await tenantWithProfile()
  await publish(second)
  const answer = await client.updateProfile({ firstName: 'no longer a field', country: 'de' })
  assert.deepEqual([answer['givenName'], answer['country'], 'firstName' in answer], ['Jane', 'de', false])
  assert.deepEqual(stored().values, { givenName: 'Jane', tier: 'silver', country: 'de' })
})

test('hides the value of a removed field and shows it again when the field returns', async () => {
  const { publish, client } = await tenantWithProfile()
  await publish({ version: 'without', components: [text('firstName')] })
  assert.equal('tier' in (await client.updateProfile({ firstName: 'June' })), false)
  await publish({ version: 'again', components: [text('firstName'), text('tier')] })
  const { tier, firstName } = await client.getProfile()
  assert.deepEqual([firstName, tier], ['June', 'silver'])
})

test('reads a field whose type changed as unset', async () => {
  const { publish, client } = await tenantWithProfile()
  await publish({ version: 'retyped', components: [text('firstName'), { name: 'tier', type: 'integer' }] })
  assert.equal((await client.getProfile())['tier'], null)
  assert.equal((await client.updateProfile({ tier: 2 }))['tier'], 2)
})

test('keeps the newer schema version when a writer knows an older one', async () => {
  const { tenantId, userId, publish, client, stored } = await tenantWithProfile()
  const { storage, snapshots } = service.service.services
  await publish(second)
  const tenant = await storage.forTenant(tenantId).tenant.get()
  assert.ok(tenant)
  const older = await snapshots.of(tenant)
  await publish(third)
  await client.updateProfile({ country: 'de' })
  assert.deepEqual(stored(), { version: '3.0', values: { givenName: 'Jane', tier: 'gold', country: 'de' } })
  const now = service.clock.now()
  const source = { now, background: older }
  const writer = { now, source, refuse, operator: false, maxBytes: 262_144 }
  await saveProfile(storage.forTenant(tenantId), userId, { givenName: 'Joan' }, older, writer)
  assert.deepEqual(stored(), { version: '3.0', values: { givenName: 'Joan', tier: 'gold', country: 'de' } })
  await client.updateProfile({})
  assert.equal(stored().values.tier, 'gold', 'no migration runs twice')
})

test('judges an update by the version that another request has migrated its profile to meanwhile (PROFILE-8)', async () => {
  const { key, token, publish, client, stored } = await tenantWithProfile()
  const sendMeanwhile = (path: string, body: object, version: ProfileSchemaInput) => {
    const headers = [
      ['x-tenant-key', key],
      ['authorization', `Bearer ${token}`],
      ['connection', 'close'],
    ] as const
    return sendLate(service, { method: 'PATCH', path, headers, body }, async () => {
      await publish(version)
      await client.updateProfile({})
    })
  }
  const renamed = await sendMeanwhile('/account/profile', { firstName: 'Joan', tier: 'gold' }, second)
  assert.deepEqual(assertSuccess(renamed, 200), await client.getProfile())
  assert.deepEqual(stored(), { version: '2.0', values: { givenName: 'Jane', tier: 'gold', country: 'fr' } })
  const forms = { edit: { fields: ['tier'] } }
  await publish({ ...second, version: '2.1', forms, migrations: [] })
  const withoutForm = await sendMeanwhile('/account/profile?form=edit&step=form', { tier: 'none' }, third)
  assertRefusal(withoutForm, 'VALIDATION_ERROR', { form: 'Invalid enum value' })
  assert.equal(stored().values.tier, 'platinum')
})

test('stores migrated profiles in the background', async () => {
  const { publish, stored, client, profile } = await tenantWithProfile()
  await publish(second)
  await service.service.services.housekeeping.run()
  assert.deepEqual(stored(), { version: '2.0', values: { givenName: 'Jane', tier: 'silver', country: 'fr' } })
  assert.equal((await client.getProfile()).updatedAt, profile.updatedAt, 'a background migration is not an update')
  await publish(third)
  await service.service.services.housekeeping.run()
  await service.service.services.housekeeping.run()
  assert.deepEqual(stored().values, { givenName: 'Jane', tier: 'gold', country: 'fr' })
})
