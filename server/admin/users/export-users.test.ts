import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ExportedUser } from '../../../contract/admin/user-lines.ts'
import { onPostgres } from '../../../test/support/databases/open-database.ts'
import { storedRows } from '../../../test/support/databases/stored-rows.ts'
import { importInto, read } from '../../../test/support/import-into.ts'
import { memoryHeld } from '../../../test/support/memory-held.ts'
import { addPerson } from '../../../test/support/person.ts'
import { refused } from '../../../test/support/refused.ts'
import { fullRunsOnly } from '../../../test/support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { ulid } from '../../core/ids.ts'
import { publishedHashes } from '../../passwords/imported/published-hashes.testkit.ts'

const MiB = 1024 ** 2

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const schema = {
  components: [
    { name: 'firstName', type: 'text' as const },
    { name: 'plan', type: 'text' as const, writable: false },
    { name: 'about', type: 'multiline' as const },
  ],
}

async function newTenant(): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, schema)
  return tenant
}

/** The users of a complete export. */
async function exported({ tenantId }: TestTenant, query = {}): Promise<ExportedUser[]> {
  const lines = await read(service.admin.exportUsers({ tenantId }, query))
  const last = lines.pop()
  const users = lines.filter((line): line is ExportedUser => 'id' in line)
  assert.deepEqual(last, { done: { exported: users.length } })
  assert.equal(users.length, lines.length)
  return users
}

const full = {
  ...{ id: ulid(3), email: 'ada@example.com', emailVerified: true, phone: '+33612345678', phoneVerified: true },
  guest: false,
  identities: [
    { provider: 'apple' as const, subject: 'a', email: null },
    { provider: 'google' as const, subject: 'g', email: 'ada@gmail.com' },
    // As many as a user links in two days within `identity-additions`.
    ...Array.from({ length: 480 }, (_, n) => ({ provider: 'google' as const, subject: `g${1000 + n}`, email: null })),
  ],
  profile: { firstName: 'Ada', plan: 'gold' },
  restrictions: [{ capability: 'upload' as const, reason: 'size', until: '2030-01-01T00:00:00.000Z' }],
  suspension: { reason: null, until: null },
  ...{ createdAt: '2019-05-01T06:00:00.000Z', lastActiveAt: '2025-12-31T23:59:59.500Z' },
}
const bare = {
  ...{ id: ulid(4), email: null, emailVerified: false, phone: null, phoneVerified: false, guest: true, identities: [] },
  ...{ profile: null, restrictions: [], suspension: null },
  ...{ createdAt: '2020-01-01T00:00:00.000Z', lastActiveAt: '2020-01-02T00:00:00.000Z' },
}

test('exports everything that was imported, in id order; nothing for a tenant without users', async () => {
  const tenant = await newTenant()
  assert.deepEqual(await exported(tenant), [])
  const identities = full.identities.toReversed()
  await importInto(service, tenant, [bare, { ...full, identities }])
  assert.deepEqual(await exported(tenant), [full, bare])
})

test('exports every user across pages, even when the last page is full', async () => {
  const tenant = await newTenant()
  for (const count of [200, 1]) {
    const rows = Array.from({ length: count }, (_, n) => ({ email: `${count}-${n}@example.com`, profile: {} }))
    await importInto(service, tenant, rows)
    const ids = (await exported(tenant)).map(({ id }) => id)
    assert.equal(ids.length, count === 200 ? 200 : 201)
    assert.deepEqual(ids, [...new Set(ids)].sort())
  }
})

test('exports the same hashes after importing them into another tenant, where every password signs in', async () => {
  const [a, b] = [await newTenant(), await newTenant()]
  const people = publishedHashes.filter(({ password, slow }) => password !== '' && !slow)
  const imported = people.map(({ given }, n) => ({ id: ulid(n), email: `${n}@example.com`, passwordHash: given }))
  assert.equal((await importInto(service, a, [full, ...imported])).counts.failed, 0)
  // Otherwise an export could contain digests that are not wrapped yet.
  await service.service.services.digestWrapping.run()
  const { email, password, userId } = await addPerson(service, a)
  const users = await exported(a, { passwordHashes: 'true' })
  assert.deepEqual((await importInto(service, b, users)).errors, [])
  assert.deepEqual(await exported(b, { passwordHashes: 'true' }), users)

  const hashOf = (id: string) => users.find((user) => user.id === id)?.passwordHash
  assert.equal(hashOf(full.id), null)
  for (const [n, person] of people.entries()) {
    await b.client.signIn({ method: 'password', email: `${n}@example.com`, password: person.password })
  }
  // The cost is the same there, so our own hashes are not replaced.
  await b.client.signIn({ method: 'password', email, password })
  const ours = (await exported(b, { passwordHashes: 'true' })).find(({ id }) => id === userId)?.passwordHash
  assert.equal(ours, hashOf(userId))
  assert.match(ours!, /^\$argon2id\$/)
})

test('exports no hashes unless requested, and imports users without a hash without a password', async () => {
  const [a, b] = [await newTenant(), await newTenant()]
  const { email, password } = await addPerson(service, a)
  for (const query of [{}, { passwordHashes: 'false' as const }]) {
    const users = await exported(a, query)
    assert.ok(!('passwordHash' in users[0]!))
    assert.doesNotMatch(JSON.stringify(users), /argon2|[hH]ash/)
  }
  await importInto(service, b, await exported(a))
  await refused(b.client.signIn({ method: 'password', email, password }), 'INVALID_CREDENTIALS')
  assert.ok(!service.log.some((line) => line.includes('argon2')))
  await refused(read(service.admin.exportUsers(a, { passwordHashes: 'yes' as 'true' })), 'VALIDATION_ERROR')
})

test('exports profiles migrated to the current schema', async () => {
  const tenant = await newTenant()
  await importInto(service, tenant, [full])
  const components = [{ name: 'givenName', type: 'text' as const }, schema.components[1]!]
  const migrations = [{ rename: { from: 'firstName', to: 'givenName' } }]
  await service.admin.publishProfileSchema(tenant, { components, migrations })
  await importInto(service, tenant, [{ ...bare, profile: { givenName: 'Eve', firstName: 'ignored' } }])
  const profiles = (await exported(tenant)).map(({ profile }) => profile)
  assert.deepEqual(profiles, [{ givenName: 'Ada', plan: 'gold' }, { givenName: 'Eve' }])
})

const many = 5_000
/** 40 MB in total. */
const about = 'x'.repeat(8000)

function* manyRows() {
  for (let n = 0; n < many; n++) {
    yield {
      email: `${n}@example.com`,
      passwordHash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
      profile: { about },
    }
  }
}

const inFull = onPostgres ? {} : fullRunsOnly

test(`imports and exports ${many} users in bounded memory and blocks no writes`, inFull, async (t) => {
  const tenant = await newTenant()
  const started = memoryHeld()
  let most = 0
  const measure = () => {
    most = Math.max(most, memoryHeld() - started)
  }
  const begun = performance.now()
  let told = 0
  for await (const line of service.admin.importUsers(tenant, manyRows())) {
    if ('error' in line) assert.fail(JSON.stringify(line))
    if ('done' in line) assert.deepEqual(line.done, { read: many, imported: many, failed: 0 })
    else if (++told > 0) measure()
  }
  assert.equal(told, many / 1000)
  const imported = performance.now()

  const lines = service.admin.exportUsers(tenant, { passwordHashes: 'true' })[Symbol.asyncIterator]()
  await lines.next()
  // The client stops reading: the export waits without blocking writes.
  await service.admin.createUser(tenant, { email: 'meanwhile@example.com' })
  // Other work of the service can be reading or writing for a moment; the export would be for as long as it waits.
  if (!onPostgres) await until(() => storedRows(service, 'PRAGMA wal_checkpoint(TRUNCATE)')[0]?.['busy'] === 0)
  let count = 1
  for (;;) {
    const { done, value } = await lines.next()
    if (done) break
    if ('id' in value && ++count % 1000 === 0) measure()
  }
  assert.ok(count === many || count === many + 1, String(count))
  const [inMs, outMs] = [imported - begun, performance.now() - imported].map(Math.round)
  t.diagnostic(`in ${inMs} ms, out ${outMs} ms, at most ${Math.round(most / MiB)} MiB held`)
  assert.ok(most < 28 * MiB, `${Math.round(most / MiB)} MiB`)
})

test('an export as the API answers it is imported without its last line', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  await importInto(service, tenant, [{ email: 'ada@example.com' }])
  const lines = await read(service.admin.exportUsers(tenant))
  assert.deepEqual(lines.at(-1), { done: { exported: 1 } })
  const { counts, errors } = await importInto(service, other, lines as Parameters<typeof importInto>[2])
  assert.deepEqual([counts, errors], [{ read: 1, imported: 1, failed: 0 }, []])
})

test('the export of a user with the largest profile and the most accounts at providers is imported again', async () => {
  const names = Array.from('abcdefghijklm')
  const components = names.map((name) => ({ name, type: 'multiline' as const }))
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  for (const one of [tenant, other]) await service.admin.publishProfileSchema(one, { components })
  const identities = Array.from({ length: 1000 }, (_, n) => ({
    provider: 'google' as const,
    subject: `${n}`.padStart(255, '0'),
    email: `${'x'.repeat(64)}@gmail.com`,
  }))
  const profile = Object.fromEntries(names.map((name) => [name, 'x'.repeat(20_000)]))
  const user = { ...full, identities, profile }
  for (const one of [tenant, other]) {
    const { counts, errors } = await importInto(service, one, one === tenant ? [user] : await exported(tenant))
    assert.deepEqual([counts, errors], [{ read: 1, imported: 1, failed: 0 }, []])
  }
  assert.deepEqual(await exported(other), await exported(tenant))
})

test('exports sensitive values only when asked, and none of hidden fields', async () => {
  const tenant = await service.addTenant()
  const components = [
    { name: 'kind', type: 'text' as const },
    { name: 'vat', type: 'text' as const },
    { name: 'card', type: 'text' as const, sensitive: true },
    { name: 'gone', type: 'text' as const, sensitive: true },
    { name: 'past', type: 'text' as const },
  ]
  await service.admin.publishProfileSchema(tenant, { components })
  const profile = { kind: 'private', vat: 'FR1', card: '4242', gone: '9999', past: 'kept' }
  await importInto(service, tenant, [{ guest: true, profile }])
  const profileOf = async (query = {}) => (await exported(tenant, query))[0]!.profile
  assert.deepEqual(await profileOf(), { ...profile, card: null, gone: null })
  const [kind, vat, card] = components
  const visible = { ...vat!, visibleWhen: { field: 'kind', is: 'business' } }
  await service.admin.publishProfileSchema(tenant, { components: [kind!, visible, card!] })
  assert.deepEqual(await profileOf(), { ...profile, vat: null, card: null, gone: null })
  assert.deepEqual(await profileOf({ sensitive: 'true' }), { ...profile, vat: null })
})
