import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { newTenantWith, storeProfiles } from '../../server/admin/profile-schema/stored-profiles.testkit.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const vat = { name: 'vat', type: 'text' } as const
const unique: ProfileSchemaInput = { components: [{ ...vat, unique: true }] }

/** A tenant whose users have these values. */
async function tenantWith(values: readonly string[]): Promise<string> {
  const tenant = await newTenantWith(service, { components: [vat] })
  await storeProfiles(
    service,
    tenant,
    '2',
    values.map((value) => ({ vat: value })),
  )
  return tenant
}

const schema = (command: 'publish' | 'check', tenant: string, input: object, ...options: string[]) =>
  type(['schema', command, '-', '--tenant', tenant, ...options], {
    env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey },
    input: JSON.stringify(input),
  })

test('fails when users have equal values in a unique field, and names the fields', async () => {
  const tenant = await tenantWith(['FR1', 'FR1', 'FR2', 'FR2', 'FR3'])
  const refused = await schema('publish', tenant, unique)
  assert.deepEqual([refused.exitCode, refused.output], [1, ''])
  assert.match(
    refused.errors,
    /^Nothing was published: [\s\S]*\nvat {4}narrowed {2}Becomes unique; [\s\S]*\nvat {2}2 value\(s\) that several users have\n\nChange the values [\s\S]* "tenantry schema versions --json" /,
  )
  const failed = await schema('publish', tenant, unique, '--force')
  assert.equal(failed.exitCode, 1)
  assert.equal(failed.output, 'Version 3 failed; the current version stays.\n')
  assert.match(
    failed.errors,
    /^Version 3 was not published: unique fields have duplicates\.\nvat {2}2 value\(s\) that several users have\nChange these values, then publish again\. "tenantry schema versions --json" /,
  )
  const asJson = await schema('publish', tenant, unique, '--force', '--json')
  assert.equal(asJson.exitCode, 1)
  assert.deepEqual(JSON.parse(asJson.output).duplicates, { vat: 2 })
})

test('reports duplicates before publishing, and --exit-code fails on them', async () => {
  const tenant = await tenantWith(['FR1', 'FR1'])
  const checked = await schema('check', tenant, unique)
  assert.deepEqual([checked.exitCode, checked.errors], [0, ''])
  assert.match(
    checked.output,
    /\n0 of 2 stored profiles would become invalid\.\nPublishing would fail: unique fields have duplicates\.\nvat {2}1 value\(s\) that several users have\n$/,
  )
  const { exitCode, errors } = await schema('check', tenant, unique, '--exit-code')
  assert.deepEqual([exitCode, errors], [1, 'Publishing this schema would fail: unique fields have duplicates.\n'])
})

test('reports a version that cannot be published again, and --exit-code fails on it', async () => {
  const tenant = await tenantWith([])
  const first = { version: '2026-01', components: [vat] }
  await schema('publish', tenant, first)
  const taken = { version: '2026-01', components: [vat, { name: 'city', type: 'text' }] }
  const checked = await schema('check', tenant, taken)
  assert.equal(checked.exitCode, 0)
  assert.match(
    checked.output,
    /\nPublishing would fail: this version is published with other content; choose another "version"/,
  )
  assert.equal((await schema('check', tenant, first, '--exit-code')).exitCode, 0)
  assert.equal((await schema('check', tenant, taken, '--exit-code')).exitCode, 1)
  assert.equal((await schema('publish', tenant, taken, '--force')).exitCode, 1)
  await schema('publish', tenant, { ...taken, version: '2026-02' })
  const { exitCode, errors } = await schema('check', tenant, first, '--exit-code')
  assert.equal(exitCode, 1)
  assert.match(errors, /^Publishing this schema would fail: this version was published before, and replaced since;/)
})

test('says that a version is building while many stored profiles are indexed', async () => {
  const tenant = await tenantWith(Array.from({ length: 2_001 }, (_, index) => `FR${index}`))
  const { exitCode, output, errors } = await schema('publish', tenant, unique, '--force')
  assert.deepEqual([exitCode, errors], [0, ''])
  assert.match(output, /^Version 3 is building: stored profiles .* "tenantry schema versions" shows its state\.\n$/)
})

test('fails when the version was replaced since', async () => {
  const tenant = await tenantWith([])
  const january = { version: '2026-01', components: [vat] }
  assert.equal((await schema('publish', tenant, january)).exitCode, 0)
  assert.equal((await schema('publish', tenant, { ...unique, version: '2026-02' }, '--force')).exitCode, 0)
  const { exitCode, output, errors } = await schema('publish', tenant, january)
  assert.deepEqual([exitCode, output], [1, 'Version 2026-01 is superseded; nothing was published.\n'])
  assert.match(errors, /^Version 2026-01 was published before .* publish the content with another "version"/)
})

test('warns of what cannot work in a schema, and publishes it (SCHEMA-15)', async () => {
  const tenant = await newTenantWith(service, { components: [] })
  const kind = { name: 'kind', type: 'select', options: [{ value: 'business' }] }
  const required = { ...vat, requiredWhen: { field: 'kind', is: 'business' } }
  const forms = { onboarding: { steps: [{ step: 'who', fields: ['kind'] }] } }
  const input = { components: [kind, required], forms }
  const warning =
    /\nforms\.onboarding\.steps\.0 {2}Warning: cannot be saved while "kind" requires "vat", .* add it to the form\.\n$/
  const checked = await schema('check', tenant, input)
  assert.deepEqual([checked.exitCode, checked.errors], [0, ''])
  assert.match(checked.output, warning)
  const published = await schema('publish', tenant, input)
  assert.deepEqual([published.exitCode, published.errors], [0, ''])
  assert.match(published.output, /^Version 2 is current; it has 2 field\(s\)\.\n/)
  assert.match(published.output, warning)
})

test('waits as long as the service reads stored profiles', async () => {
  const tenant = await tenantWith([])
  const timeout = mock.method(AbortSignal, 'timeout', () => AbortSignal.abort(new Error('timed out')))
  try {
    assert.equal((await schema('check', tenant, unique)).exitCode, 0)
    const refused = await schema('publish', tenant, { components: [] })
    assert.match(refused.errors, /^Nothing was published: [\s\S]*\nvat {4}removed/)
  } finally {
    timeout.mock.restore()
  }
})
