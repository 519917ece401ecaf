import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { createProfileMigration } from '../../server/profiles/migrations/migrate-stored-profiles.ts'
import { storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

const day = 86_400_000

let service: TestService
before(async () => {
  service = await startTestService({ archiveDays: 10 })
})
after(() => service.close())

const text = (name: string) => ({ name, type: 'text' as const })

/** A user whose fax number is archived: the current schema has no such field. */
async function archivedFax() {
  const tenant = await service.addTenant()
  const publish = (...names: string[]) =>
    service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { components: names.map(text) })
  await publish('city', 'fax')
  const person = await addPerson(service, tenant)
  await (await person.client()).updateProfile({ city: 'Paris', fax: '12' })
  await publish('city')
  const stored = () =>
    JSON.parse(String(storedRow(service, 'SELECT content FROM profiles WHERE user_id = ?', person.userId)['content']))
  const round = () => service.service.services.housekeeping.run()
  return { tenantId: tenant.tenantId, publish, person, client: person.client, stored, round }
}

test('exports the values of removed fields, and erases them after TENANTRY_ARCHIVE_DAYS', async () => {
  const { client, person, stored, round } = await archivedFax()
  const exported = async () => (await person.client()).exportAccount()
  const { archived, profile } = await exported()
  assert.deepEqual([archived, profile?.['city'], profile && 'fax' in profile], [{ fax: '12' }, 'Paris', false])
  service.clock.advance(10 * day - 60_000)
  await round()
  assert.deepEqual(stored(), { city: 'Paris', fax: '12' })
  const { updatedAt } = await client().then((user) => user.getProfile())
  service.clock.advance(60_000)
  await round()
  assert.deepEqual(stored(), { city: 'Paris' })
  assert.deepEqual((await exported()).archived, {})
  assert.equal((await (await client()).getProfile()).updatedAt, updatedAt, 'erasing is not an update of the user')
})

test('publishing the field again brings its value back, and a later removal starts its time again', async () => {
  const { publish, client, stored, round } = await archivedFax()
  service.clock.advance(9 * day)
  await publish('city', 'fax')
  service.clock.advance(9 * day)
  await round()
  assert.equal((await (await client()).getProfile())['fax'], '12')
  await publish('city')
  service.clock.advance(10 * day - 60_000)
  await round()
  assert.deepEqual(stored(), { city: 'Paris', fax: '12' })
  service.clock.advance(60_000)
  await round()
  assert.deepEqual(stored(), { city: 'Paris' })
})

test('erases the values of a field whose removal got the revision of a change that a failover lost', async () => {
  const { tenantId, publish, stored, round } = await archivedFax()
  await publish('city', 'fax')
  await round()
  service.clock.advance(1)
  await publish('city')
  await writeStored(service, 'UPDATE tenants SET revision = revision - 1 WHERE id = ?', tenantId)
  service.clock.advance(10 * day)
  await round()
  assert.deepEqual(stored(), { city: 'Paris' })
})

test('exports a note of the operator once its field is removed, unless a migration drops its value', async () => {
  const tenant = await service.addTenant()
  const publish = (components: object[], migrations: { drop: string }[] = []) =>
    service.admin.publishProfileSchema(tenant, { components: components as ReturnType<typeof text>[], migrations })
  const note = (name: string) => ({ ...text(name), readable: false, writable: false })
  await publish([text('city'), note('risk'), note('reason')])
  const person = await addPerson(service, tenant)
  const path = { tenantId: tenant.tenantId, userId: person.userId }
  await service.admin.updateUserProfile(path, { risk: 'high', reason: 'chargeback' })
  const exported = async () => (await person.client()).exportAccount()
  const { profile, archived } = await exported()
  assert.deepEqual([Object.keys(profile!), archived], [['id', 'city', 'createdAt', 'updatedAt'], {}])
  await publish([text('city')], [{ drop: 'reason' }])
  assert.deepEqual((await exported()).archived, { risk: 'high' })
})

test('exports stored values that are shown as unset, because the type of the field has changed or it is hidden', async () => {
  const tenant = await service.addTenant()
  const publish = (...components: ProfileSchemaInput['components']) =>
    service.admin.publishProfileSchema(tenant, { components })
  const note = { ...text('note'), readable: false }
  await publish(text('age'), text('kind'), text('vat'), note)
  const client = await (await addPerson(service, tenant)).client()
  await client.updateProfile({ age: 'forty', kind: 'personal', vat: 'FR1', note: 'x' })
  const vat = { ...text('vat'), visibleWhen: { field: 'kind', is: 'business' } }
  await publish({ name: 'age', type: 'integer' }, text('kind'), vat, note)
  const { profile, archived } = await client.exportAccount()
  assert.deepEqual([profile?.['age'], profile?.['vat'], profile?.['note']], [null, null, null])
  assert.deepEqual(archived, { age: 'forty', vat: 'FR1' })
})

test('has no archive for a user without a profile', async () => {
  const client = await (await addPerson(service, await service.addTenant())).client()
  const { archived, profile } = await client.exportAccount()
  assert.deepEqual([archived, profile], [{}, null])
})

test('reads profiles only when a version is new or a field is due, and repeats a pass that lost to a write', async () => {
  const { tenantId, stored } = await archivedFax()
  const { storage, snapshots } = service.service.services
  const lost = new Set([tenantId])
  const passes: string[] = []
  const watched = instead(storage, {
    forTenant(id: string) {
      passes.push(id)
      const stores = storage.forTenant(id)
      const write: typeof stores.write = (work) =>
        stores.write((tx) => {
          const save: typeof tx.profiles.save = async (...profile) =>
            lost.delete(id) ? false : tx.profiles.save(...profile)
          return work(instead(tx, { profiles: instead(tx.profiles, { save }) }))
        })
      return instead(stores, { write })
    },
  })
  const pass = createProfileMigration(watched, snapshots, 10 * day)
  const passedAt = async (now: number) => {
    passes.length = 0
    await pass(now)
    return passes.includes(tenantId)
  }
  const now = service.clock.now()
  lost.clear()
  assert.deepEqual([await passedAt(now), await passedAt(now + 10 * day - 1)], [true, false])
  lost.add(tenantId)
  assert.equal(await passedAt(now + 10 * day), true)
  assert.deepEqual(stored(), { city: 'Paris', fax: '12' }, 'another write came first')
  assert.equal(await passedAt(now + 10 * day), true)
  assert.deepEqual(stored(), { city: 'Paris' })
  assert.equal(await passedAt(now + 99 * day), false)
})

const nick = { ...text('nick'), unique: true, searchable: true }
const withNick = { components: [nick, text('city')] }

/** A tenant of 250 users, more than a page of the pass, whose nicknames are archived and due. */
async function dueNicks() {
  const { tenantId } = await service.addTenant()
  const publish = (schema: ProfileSchemaInput) => service.admin.publishProfileSchema({ tenantId }, schema)
  await publish(withNick)
  const rows = Array.from({ length: 250 }, (_, n) => ({ guest: true, profile: { nick: `nick ${n}`, city: 'Paris' } }))
  await importInto(service, { tenantId }, rows)
  await publish({ components: [text('city')] })
  await service.service.services.schemaBuilds.run()
  service.clock.advance(10 * day)
  const rowsOf = (sql: string) => storedRows(service, sql, tenantId)
  return {
    tenantId,
    publish,
    /** Users and their stored nicknames. */
    nicks: () =>
      rowsOf('SELECT user_id, content FROM profiles WHERE tenant_id = ? ORDER BY user_id').flatMap((row) => {
        const { nick } = JSON.parse(String(row['content']))
        return nick === undefined ? [] : `${row['user_id']} ${nick}`
      }),
    found: () =>
      rowsOf('SELECT user_id, value FROM profile_search WHERE tenant_id = ? ORDER BY user_id').map(
        (row) => `${row['user_id']} ${row['value']}`,
      ),
    claims: () =>
      rowsOf('SELECT user_id FROM profile_unique WHERE tenant_id = ? ORDER BY user_id').map((row) => row['user_id']),
  }
}

/** The pass, during which something happens before it reads the tenant's second page. */
function passWith(tenantId: string, between: () => Promise<unknown>): () => Promise<void> {
  const { storage, snapshots } = service.service.services
  let hasHappened = false
  const watched = instead(storage, {
    forTenant(id: string) {
      const stores = storage.forTenant(id)
      const list: typeof stores.profiles.list = async (page) => {
        if (id === tenantId && page.cursor !== null && !hasHappened) {
          hasHappened = true
          await between()
        }
        return stores.profiles.list(page)
      }
      return instead(stores, { profiles: instead(stores.profiles, { list }) })
    },
  })
  const pass = createProfileMigration(watched, snapshots, 10 * day)
  return () => pass(service.clock.now())
}

test('erases no value of a field that a version brings back during the pass', async () => {
  const { tenantId, publish, nicks, found, claims } = await dueNicks()
  const pass = passWith(tenantId, async () => {
    assert.equal(nicks().length, 50, 'the first page is erased')
    assert.equal((await publish(withNick)).state, 'current')
  })
  await pass()
  assert.equal(nicks().length, 50)
  await pass()
  assert.equal(nicks().length, 50)
  assert.deepEqual(found(), nicks())
  assert.equal(claims().length, 50)
})

test('erases no value of a field that a version brings back and that is being indexed', async () => {
  const { tenantId, nicks, found, claims } = await dueNicks()
  const { storage, schemaBuilds } = service.service.services
  const { tenant } = storage.forTenant(tenantId)
  const pass = passWith(tenantId, async () => {
    const { profileSchema, revision } = (await tenant.configuration())!
    const schema = { ...profileSchema.schema, version: 'x', components: withNick.components }
    const indexKeys = { nick: 'nick@4' }
    assert.ok(
      await tenant.startBuild({ ...profileSchema, ordinal: 4, schema, indexKeys }, revision, service.clock.now()),
    )
  })
  await pass()
  assert.equal(nicks().length, 50)
  await schemaBuilds.run()
  await pass()
  assert.equal(nicks().length, 50)
  assert.deepEqual(found(), nicks())
  assert.equal(claims().length, 50)
})

/** The object with other members. */
const instead = <T extends object>(target: T, members: object): T =>
  new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(name in members ? members : target, name)
      return typeof value === 'function' && !(name in members) ? value.bind(target) : value
    },
  })
