import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Runs a command that must succeed with empty standard error. */
async function tenantry(words: readonly string[], input = ''): Promise<string> {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const { exitCode, output, errors } = await type(words, { env, input })
  assert.deepEqual([exitCode, errors], [0, ''])
  return output
}

const asked = async (words: readonly string[], input = '') => JSON.parse(await tenantry([...words, '--json'], input))
const newTenant = async () => (await service.admin.createTenant({ name: 'Acme' })).id

test('checks, publishes and shows a schema, including older versions', async () => {
  const tenant = await newTenant()
  const schema = { version: 'v1', components: [{ name: 'a', type: 'text' }] }
  const published = await tenantry(['schema', 'publish', '-', '--tenant', tenant], JSON.stringify(schema))
  assert.equal(published, 'Version v1 is current; it has 1 field(s).\n')
  const empty = JSON.stringify({ components: [] })
  const check = ['schema', 'check', '-', '--tenant', tenant]
  assert.match(await tenantry(check, empty), /^FIELD {2}CHANGE {3}WHAT\na {6}removed[\s\S]*\n0 of 0 stored profiles/)
  assert.equal((await asked(check, empty)).changes.length, 1)
  assert.match(await tenantry([...check, '--exit-code'], JSON.stringify(schema)), /^No field is removed/)
  await tenantry(['schema', 'publish', '-', '--force', '--tenant', tenant], empty)
  assert.equal(JSON.parse(await tenantry(['schema', 'show', '--tenant', tenant])).version, '3')
  assert.equal(JSON.parse(await tenantry(['schema', 'show', 'v1', '--tenant', tenant])).components[0].name, 'a')
})

test('checks a schema without profiles for an operator who may not read them', async () => {
  const tenant = await newTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components: [{ name: 'a', type: 'text' }] })
  const { key } = await service.admin.createOperator({ name: 'Developer', role: 'developer' })
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_OPERATOR_KEY: key }
  const check = (input: object) =>
    type(['schema', 'check', '-', '--tenant', tenant, '--exit-code'], { env, input: JSON.stringify(input) })
  const same = await check({ components: [{ name: 'a', type: 'text' }] })
  assert.equal(same.exitCode, 0)
  assert.match(same.output, /\nStored profiles were not checked; that needs the scope profiles:read\.\n/)
  assert.equal((await check({ components: [] })).exitCode, 1)
})

test('lists the versions of a schema and compares two of them', async () => {
  const tenant = await newTenant()
  const publish = (components: object[]) =>
    tenantry(['schema', 'publish', '-', '--force', '--tenant', tenant], JSON.stringify({ components }))
  await publish([{ name: 'a', type: 'text' }])
  await publish([])
  const lines = (await tenantry(['schema', 'versions', '--tenant', tenant])).split('\n')
  assert.match(lines[0]!, /^VERSION {2}STATE {7}PUBLISHED {17}BY {4}PROFILES$/)
  assert.match(lines[1]!, /^3 {8}current {5}\d{4}-\S+Z {2}root {2}0$/)
  assert.match(lines[3]!, /^1 {8}superseded/)
  assert.match(await tenantry(['schema', 'diff', '2', '--tenant', tenant]), /^FIELD .*\na {6}removed/)
  assert.match(await tenantry(['schema', 'diff', '1', '2', '--tenant', tenant]), /^No field is removed/)
})

test('publishes nothing that breaks something, and lists what, unless it is forced', async () => {
  const tenant = await newTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components: [{ name: 'a', type: 'text' }] })
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const publish = ['schema', 'publish', '-', '--tenant', tenant]
  const input = '{"components": []}'
  const refused = await type(publish, { env, input })
  assert.deepEqual([refused.exitCode, refused.output], [1, ''])
  assert.match(
    refused.errors,
    /Nothing was published[\s\S]*\na {6}removed[\s\S]*0 of 0 stored[\s\S]*publish it with --force/,
  )
  assert.equal((await service.admin.readProfileSchema({ tenantId: tenant })).version, '2')
  assert.equal((await type([...publish, '--force'], { env, input })).exitCode, 0)
  assert.equal((await service.admin.readProfileSchema({ tenantId: tenant })).version, '3')
})

test('exits with 1 on breaking changes only with --exit-code', async () => {
  const tenant = await newTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components: [{ name: 'a', type: 'text' }] })
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const check = ['schema', 'check', '-', '--tenant', tenant]
  const input = '{"components": []}'
  assert.equal((await type(check, { env, input })).exitCode, 0)
  const result = await type([...check, '--exit-code'], { env, input })
  assert.equal(result.exitCode, 1)
  assert.match(result.output, /removed/)
})
