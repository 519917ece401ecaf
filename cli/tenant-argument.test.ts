import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { findTenantId } from './tenant-argument.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
let acme: string
let other: string
before(async () => {
  service = await startTestService()
  acme = (await service.admin.createTenant({ name: 'Acme & Sons' })).id
  other = (await service.admin.createTenant({ name: 'Other' })).id
})
after(() => service.close())

const run = (words: readonly string[], env: Record<string, string> = {}) =>
  type(words, { env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, ...env } })

async function shownBy(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, output, errors } = await run([...words, '--json'], env)
  assert.equal(`${exitCode} ${errors}`, '0 ')
  return JSON.parse(output).id
}

test('finds a tenant by its name, in any case, or by its id', async () => {
  for (const named of ['Acme & Sons', 'acme & sons', acme, acme.toLowerCase()]) {
    assert.equal(await shownBy(['tenant', 'show', named]), acme, named)
  }
})

test('reads only the tenants whose names begin like the one that was typed', async () => {
  const answers: string[] = []
  const recordedFetch: typeof fetch = async (...call) => {
    const response = await fetch(...call)
    answers.push(await response.clone().text())
    return response
  }
  const admin = createTenantryAdmin({ baseUrl: service.baseUrl, adminKey: service.adminKey, fetch: recordedFetch })
  assert.equal(await findTenantId('ACME & Sons', admin), acme)
  assert.match(answers.join(), /"Acme & Sons"/)
  assert.doesNotMatch(answers.join(), /"Other"/)
})

test('finds the longest name, and reports a longer one like any other unknown name', async () => {
  const longest = 'ß'.repeat(200)
  const { id } = await service.admin.createTenant({ name: longest })
  assert.equal(await shownBy(['tenant', 'show', longest]), id)
  const { errors } = await run(['tenant', 'show', `${longest}ß`])
  assert.match(errors, /^No tenant has the name or id "ß{200}/)
})

test('takes the default from TENANTRY_TENANT; an argument wins', async () => {
  const env = { TENANTRY_TENANT: 'Acme & Sons' }
  assert.equal(await shownBy(['tenant', 'show'], env), acme)
  assert.equal(await shownBy(['tenant', 'show', 'Other'], env), other)
  const user = await run(['user', 'create', '--email', 'ada@example.com', '--json'], env)
  const { id } = JSON.parse(user.output)
  await service.admin.getUser({ tenantId: acme, userId: id })
  assert.equal((await run(['user', 'list', '--tenant', 'Other'], env)).output, 'The tenant has no users.\n')
  assert.equal(await shownBy(['user', 'show', id], env), id)
})

test('does not fall back to TENANTRY_TENANT for an empty argument, and deletes no default tenant', async () => {
  const env = { TENANTRY_TENANT: 'Acme & Sons' }
  const empty = { exitCode: 1, output: '', errors: 'The tenant is empty. Specify its name or id.\n' }
  assert.deepEqual(await run(['tenant', 'show', ''], env), empty)
  for (const words of [['user', 'list'], ['inbox'], ['events', 'list']])
    assert.deepEqual(await run([...words, '--tenant', ''], env), empty, words.join(' '))
  assert.equal((await run(['tenant', 'delete', '--yes'], env)).exitCode, 2)
  await service.admin.getTenant({ tenantId: acme })
})

test('lists the candidates of an ambiguous name with their ids', async () => {
  const twins = [await service.admin.createTenant({ name: 'Twin' }), await service.admin.createTenant({ name: 'TWIN' })]
  assert.equal(await shownBy(['tenant', 'show', 'TWIN']), twins[1]!.id)
  const { exitCode, output, errors } = await run(['tenant', 'show', 'twin'])
  assert.deepEqual([exitCode, output], [1, ''])
  const [first, ...candidates] = errors.trimEnd().split('\n')
  assert.equal(first, '2 tenants have the name "twin". Use the id of one of them:')
  assert.deepEqual(candidates.toSorted(), twins.map(({ id, name }) => `${id}  ${name}`).toSorted())
})

test('a name in the form of an id does not stand in for the tenant with that id', async () => {
  await service.admin.createTenant({ name: other })
  assert.equal(await shownBy(['tenant', 'show', other]), other)
})

test('says what to do about an unknown or a missing tenant', async () => {
  const unknown = 'No tenant has the name or id "Nobel". Run "tenantry tenant list" to see all tenants.\n'
  assert.equal((await run(['key', 'list', '--tenant', 'Nobel'])).errors, unknown)
  assert.equal((await run(['key', 'list'], { TENANTRY_TENANT: 'Nobel' })).errors, unknown)
  const missing = await run(['key', 'list'])
  assert.equal(missing.exitCode, 2)
  assert.match(missing.errors, /^error: no tenant specified; name it as --tenant, or set TENANTRY_TENANT\n/)
  assert.match((await run(['tenant', 'show'])).errors, /^error: no tenant specified; name it as argument, or set/)
})

test('renames a tenant', async () => {
  const { id } = await service.admin.createTenant({ name: 'Before' })
  assert.equal(await shownBy(['tenant', 'rename', 'Before', 'After']), id)
  assert.equal(await shownBy(['tenant', 'show', 'after']), id)
})
