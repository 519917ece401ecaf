import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { changesNothing, storedRow, writeStored } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

/** Reads and changes one of the documents of a tenant. */
function documentOf({ tenantId }: TestTenant, name: 'configuration' | 'profile-schema') {
  const path = `/admin/tenants/${tenantId}/${name}`
  const token = service.adminKey
  const change = (method: 'PUT' | 'PATCH', body: object, ifMatch?: string) =>
    request(service, `${method} ${path}`, {
      token,
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    })
  const etag = async (query = '') => (await request(service, `GET ${path}${query}`, { token })).headers.get('etag')!
  return { change, etag }
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? String(status)
const fields = (...names: string[]): ProfileSchemaInput => ({
  components: names.map((name) => ({ name, type: 'text' as const })),
})
const otp = (length: number) => ({ auth: { methods: ['otp'] }, otp: { length } })

for (const method of ['PUT', 'PATCH'] as const) {
  test(`${method} of the configuration applies only to the revision that was read (ADMIN-18)`, async () => {
    const { change, etag } = documentOf(tenant, 'configuration')
    await change('PUT', otp(4))
    const read = await etag()
    assert.match(read, /^"[1-9]\d*"$/)
    const first = await change(method, otp(6), read)
    assert.deepEqual([first.status, first.headers.get('etag')], [200, await etag()])
    assert.notEqual(first.headers.get('etag'), read)
    await changesNothing(service, async () => {
      for (const other of [read, '"0"', `W/${await etag()}`]) {
        const lost = await change(method, otp(8), other)
        assert.deepEqual([lost.status, outcome(lost)], [412, 'PRECONDITION_FAILED'], other)
      }
    })
    assert.equal(outcome(await change(method, otp(7), '*')), '200')
    assert.equal(outcome(await change(method, otp(8), `"7", ${await etag()}`)), '200')
    assert.equal(outcome(await change(method, otp(9))), '200', 'without If-Match the last one wins')
    const malformed = await change(method, otp(4), '3')
    assert.deepEqual(malformed.body.error.validation, { 'If-Match': 'Expected * or quoted revisions, such as "3"' })
  })
}

test('what does not change the configuration keeps its revision; a new secret changes it', async () => {
  const { tenantId } = tenant
  const { change, etag } = documentOf(tenant, 'configuration')
  const smtp = { name: 'main', type: 'smtp', host: 'mail.example.com', user: 'a' }
  const sender = (password: string) => ({ delivery: { email: [{ ...smtp, password }] } })
  await change('PATCH', sender('one'))
  const before = await etag()
  await service.admin.updateTenant({ tenantId }, { name: 'Renamed' })
  await service.admin.publishProfileSchema({ tenantId }, fields('unrelated'))
  await change('PATCH', {})
  await change('PATCH', sender(maskedSecret))
  assert.equal(await etag(), before)
  assert.equal(outcome(await change('PATCH', sender('two'), before)), '200')
  assert.equal(outcome(await change('PATCH', sender('three'), before)), 'PRECONDITION_FAILED')
})

test('a tenant without a configuration has the revision "0"', async () => {
  const bare = await service.addTenant()
  await writeStored(service, 'UPDATE tenants SET modules = NULL WHERE id = ?', bare.tenantId)
  const { change, etag } = documentOf(bare, 'configuration')
  assert.equal(await etag(), '"0"')
  assert.equal(outcome(await change('PATCH', otp(4), '*')), 'PRECONDITION_FAILED')
  assert.equal(outcome(await change('PATCH', otp(4), '"0"')), '200')
})

test('of concurrent writers that expect one revision, one succeeds', async () => {
  const configuration = documentOf(tenant, 'configuration')
  const schema = documentOf(tenant, 'profile-schema')
  for (const length of [4, 5, 6]) {
    const [settings, version] = [await configuration.etag(), await schema.etag()]
    const writers = Array.from({ length: 8 }, (_, index) => index)
    const outcomes = await Promise.all([
      Promise.all(writers.map((index) => configuration.change('PATCH', { own: [length, index] }, settings))),
      Promise.all(writers.map((index) => schema.change('PUT', fields(`race${length}${index}`), version))),
    ])
    for (const answers of outcomes) {
      assert.deepEqual(answers.map(outcome).toSorted(), ['200', ...Array(7).fill('PRECONDITION_FAILED')])
    }
  }
})

test('a profile schema is published only over the version that was read (SCHEMA-14)', async () => {
  const other = await service.addTenant()
  const { change, etag } = documentOf(other, 'profile-schema')
  assert.equal(await etag(), '"1"')
  const first = await change('PUT', { ...fields('a'), version: 'x' }, '"1"')
  assert.deepEqual([first.status, first.headers.get('etag'), await etag()], [200, '"2"', '"2"'])
  assert.equal(await etag('?version=1'), '"1"')
  await changesNothing(service, async () => {
    assert.equal(outcome(await change('PUT', fields('b'), '"1"')), 'PRECONDITION_FAILED')
    assert.equal(outcome(await change('PUT', { ...fields('b'), version: 'x' }, '"1"')), 'PRECONDITION_FAILED')
    assert.equal(outcome(await change('PUT', { ...fields('b'), version: 'x' }, '"2"')), 'PROFILE_SCHEMA_VERSION_EXISTS')
    const repeated = await change('PUT', fields('a'), '"1"')
    assert.deepEqual([repeated.status, repeated.headers.get('etag')], [200, '"2"'], 'nothing is overwritten')
    assert.equal(outcome(await change('PUT', { components: 1 }, '"1"')), 'VALIDATION_ERROR')
  })
  await service.admin.updateTenant({ tenantId: other.tenantId }, { name: 'Renamed' })
  assert.equal(outcome(await change('PUT', fields('b'), '"2"')), '200')
})

test('after a version failed, the one before is still the one to change', async () => {
  const other = await service.addTenant()
  const { change, etag } = documentOf(other, 'profile-schema')
  await change('PUT', fields('nick'))
  const rows = ['a', 'a'].map((nick, index) => ({ email: `${index}@revision.example`, profile: { nick } }))
  assert.equal((await importInto(service, other, rows)).counts.imported, 2)
  const unique = { components: [{ name: 'nick', type: 'text', unique: true }] }
  const failed = await change('PUT', unique, '"2"')
  assert.deepEqual([failed.body.data.state, failed.headers.get('etag'), await etag()], ['failed', '"2"', '"2"'])
  assert.equal((await change('PUT', fields('nick', 'b'), '"2"')).headers.get('etag'), '"4"')
})

test('uses what is stored after a failover that lost changes whose revision and ordinal other changes got', async () => {
  const other = await service.addTenant()
  const { tenantId, client } = other
  await service.admin.publishProfileSchema({ tenantId }, fields('lost'))
  const user = await (await addPerson(service, other)).client()
  const shown = async () => {
    const { otp, profileSchema } = await client.getTenantConfiguration()
    return [otp.length, profileSchema!.components.map(({ name }) => name)]
  }
  assert.deepEqual(await shown(), [6, ['lost']])
  const { modules } = storedRow(service, 'SELECT modules FROM tenants WHERE id = ?', tenantId)
  const changed = JSON.stringify({ ...JSON.parse(String(modules)), otp: { length: 8 } })
  const lastVersion = 'tenant_id = ? AND ordinal = 2'
  const { content } = storedRow(service, `SELECT content FROM profile_schemas WHERE ${lastVersion}`, tenantId)
  const kept = String(content).replaceAll('"lost"', '"kept"')
  const publish = `UPDATE profile_schemas SET content = ?, published_at = published_at + 1 WHERE ${lastVersion}`
  await writeStored(service, publish, kept, tenantId)
  const change = 'UPDATE tenants SET modules = ?, updated_at = updated_at + 1 WHERE id = ?'
  await writeStored(service, change, changed, tenantId)
  assert.deepEqual(await shown(), [8, ['kept']])
  assert.equal((await user.updateProfile({ kept: 'b' }))['kept'], 'b')
})

test("the operator's client reports and sends the revision", async () => {
  const { tenantId } = tenant
  const etags: string[] = []
  const onEtag = (etag: string) => void etags.push(etag)
  await service.admin.readConfiguration({ tenantId }, { onEtag })
  await service.admin.updateConfiguration({ tenantId }, otp(7), { ifMatch: etags[0]!, onEtag })
  const lost = service.admin.replaceConfiguration({ tenantId }, otp(8) as never, { ifMatch: etags[0]! })
  await refused(lost, 'PRECONDITION_FAILED')
  await service.admin.replaceConfiguration({ tenantId }, otp(8) as never, { ifMatch: etags[1]! })
  await service.admin.readProfileSchema({ tenantId }, {}, { onEtag })
  await service.admin.publishProfileSchema({ tenantId }, fields('client'), {}, { ifMatch: etags[2]!, onEtag })
  const late = service.admin.publishProfileSchema({ tenantId }, fields('late'), {}, { ifMatch: etags[2]! })
  await refused(late, 'PRECONDITION_FAILED')
})
