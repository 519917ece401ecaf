import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { writeStored } from '../../../test/support/databases/stored-rows.ts'
import { importInto, read } from '../../../test/support/import-into.ts'
import { addPerson } from '../../../test/support/person.ts'
import { invalid } from '../../../test/support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'

const day = 86_400_000

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const publish = (tenant: TestTenant, components: ProfileSchemaInput['components']) =>
  service.admin.publishProfileSchema(tenant, { components })

/** The exported users of a tenant. */
async function exported(tenant: TestTenant) {
  const lines = await read(service.admin.exportUsers(tenant))
  return lines.flatMap((line) => ('id' in line ? [line] : []))
}

/** Imports the export of a tenant into another one with this schema, and asserts that it exports the same. */
async function movesAll(from: TestTenant, components: ProfileSchemaInput['components']): Promise<void> {
  service.clock.advance(day)
  const to = await service.addTenant()
  await publish(to, components)
  const users = await exported(from)
  assert.ok(users.length > 0)
  assert.deepEqual((await importInto(service, to, users)).errors, [])
  assert.deepEqual(await exported(to), users)
}

const termsOf = (rules: { version: string; mustBeTrue?: boolean }) => ({
  ...{ name: 'terms', type: 'consent' as const, rules },
})

test('an export and its import keep every consent exactly, whichever text it is to', async () => {
  const tenant = await service.addTenant()
  const addConsent = async (accepted: boolean, version: string) => {
    const client = await (await addPerson(service, tenant)).client()
    return (await client.updateProfile({ terms: { accepted, version } }))['terms']
  }
  await publish(tenant, [termsOf({ version: '1' })])
  const given = [await addConsent(true, '1'), await addConsent(false, '1')]
  service.clock.advance(day)
  const components = [termsOf({ version: '2', mustBeTrue: true })]
  await publish(tenant, components)
  given.push(await addConsent(true, '2'))
  const terms = (await exported(tenant)).map(({ profile }) => profile?.['terms'])
  const inOrder = (consents: unknown[]) => consents.map((consent) => JSON.stringify(consent)).sort()
  assert.deepEqual(inOrder(terms), inOrder(given))
  await movesAll(tenant, components)
})

test('an export and its import keep what time made invalid', async () => {
  const tenant = await service.addTenant()
  const components = [
    { name: 'birthDate', type: 'date' as const, rules: { maxAge: 17 } },
    { name: 'pays', type: 'currency' as const },
    { name: 'agreed', type: 'boolean' as const, rules: { mustBeTrue: true } },
  ]
  await publish(tenant, components)
  const { userId, client } = await addPerson(service, tenant)
  await (await client()).updateProfile({ birthDate: '2008-02-20' })
  const values = { birthDate: '2008-02-20', pays: 'DEM', agreed: false }
  await writeStored(service, 'UPDATE profiles SET content = ? WHERE user_id = ?', JSON.stringify(values), userId)
  service.clock.advance(60 * day)
  const [user] = await exported(tenant)
  assert.deepEqual(user?.profile, values)
  await movesAll(tenant, components)
})

test('an import takes an export without sensitive values, also those of required fields', async () => {
  const tenant = await service.addTenant()
  const components = [{ name: 'nationalId', type: 'text' as const, required: true, sensitive: true }]
  await publish(tenant, components)
  await (await (await addPerson(service, tenant)).client()).updateProfile({ nationalId: '850101' })
  const [user] = await exported(tenant)
  assert.deepEqual(user?.profile, { nationalId: null })
  await movesAll(tenant, components)
})

test('an import keeps the time of a consent in UTC, and uses its own time for one without', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, [termsOf({ version: '2' })])
  const now = new Date(service.clock.now()).toISOString()
  const times = [
    ['2019-05-01T08:00:00+02:00', '2019-05-01T06:00:00.000Z'],
    ['0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00.000Z'],
    [now, now],
    [null, now],
    [undefined, now],
  ]
  const consent = { accepted: true, version: '1' }
  const rows = times.map(([at], n) => ({ id: ulid(n), guest: true, profile: { terms: { ...consent, at } } }))
  assert.deepEqual((await importInto(service, tenant, rows)).errors, [])
  assert.deepEqual(
    (await exported(tenant)).map(({ profile }) => profile),
    times.map(([, at]) => ({ terms: { ...consent, at } })),
  )
})

test('an import refuses a consent whose time is in the future or not a time', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, [termsOf({ version: '2' })])
  const refusals = [
    [new Date(service.clock.now() + 1).toISOString(), 'Time must not be in the future'],
    ['yesterday', 'Invalid date format'],
    ['2019-02-30T08:00:00Z', 'Invalid date format'],
    ['2019-05-01', 'Invalid date format'],
    // In UTC its year is 0, in which no later import takes a time.
    ['0001-01-01T00:59:59+01:00', 'Invalid date format'],
    [1_556_690_400_000, 'Expected string, received number'],
  ] as const
  const rows = refusals.map(([at]) => ({ guest: true, profile: { terms: { accepted: true, version: '1', at } } }))
  const { errors } = await importInto(service, tenant, rows)
  assert.deepEqual(
    errors.map(({ validation }) => validation),
    refusals.map(([, message]) => ({ 'profile.terms': message })),
  )
  assert.deepEqual(await exported(tenant), [])
})

test('stamps the consent of a user that the operator creates, and refuses one to an earlier text', async () => {
  const tenant = await service.addTenant()
  await publish(tenant, [termsOf({ version: '2' })])
  const create = (version: string) =>
    service.admin.createUser(tenant, {
      email: 'ada@example.com',
      profile: { terms: { accepted: true, version, at: '2019-05-01T06:00:00.000Z' } },
    })
  await invalid(create('1'), { 'profile.terms': 'Validation rule not met' })
  await create('2')
  const at = new Date(service.clock.now()).toISOString()
  const [user] = await exported(tenant)
  assert.deepEqual(user?.profile, { terms: { accepted: true, version: '2', at } })
})
