import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { roles } from '../contract/scopes.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const run = (words: readonly string[], key = service.adminKey) =>
  type(words, { env: { TENANTRY_URL: service.baseUrl, TENANTRY_OPERATOR_KEY: key, TENANTRY_TENANT: 'Elsewhere' } })

/** Runs a command that must succeed. */
async function tenantry(words: readonly string[], key?: string): Promise<string> {
  const { exitCode, output, errors } = await run(words, key)
  assert.deepEqual([exitCode, errors], [0, ''])
  return output
}
const asked = async (words: readonly string[], key?: string) => JSON.parse(await tenantry([...words, '--json'], key))
const create = ['operator', 'create', '--name', 'Kim'] as const

test('creates an operator with a role, tenants by name or id, and an expiry', async () => {
  const { id } = await service.admin.createTenant({ name: 'Acme' })
  const other = await service.admin.createTenant({ name: 'Other' })
  const made = await asked([
    ...create,
    ...['--role', 'support', '--tenant', 'Acme', '--tenant', other.id, '--expires-at', '2027-01-31'],
    ...['--email', 'kim@example.com'],
  ])
  assert.deepEqual(made.tenantIds, [id, other.id])
  assert.deepEqual([made.expiresAt, made.email], ['2027-01-31T00:00:00.000Z', 'kim@example.com'])
  assert.deepEqual(made.scopes, roles.support)
  assert.equal((await asked(['operator', 'show'], made.key)).id, made.id)
  const text = await tenantry([...create, '--scope', 'users:read', '--scope', 'keys:write'])
  assert.match(text, /^id {10}\w{26}\nname {8}Kim\ne-mail {6}-\nscopes {6}users:read, keys:write\ntenants {5}all\n/)
  assert.match(text, /\nkey {9}op_\w+\n\nThe key is shown only once\. Its owner stores it with "tenantry login"\.\n$/)
})

test('lists, shows, changes, rotates and revokes operators, and never shows a key again', async () => {
  const { id, key } = await asked([...create, '--role', 'viewer', '--expires-at', '2027-01-31'])
  const tenant = await service.admin.createTenant({ name: 'Bound' })
  assert.match(await tenantry(['operator', 'list']), /^ID {26}NAME +SCOPES +TENANTS +EXPIRES +REVOKED +LAST USED\n/)
  assert.match(await tenantry(['operator', 'show', id]), /created by {2}root\nexpires {5}2027-01-31T00/)
  const update = (...words: string[]) => asked(['operator', 'update', id, ...words])
  assert.deepEqual((await update('--tenant', 'bound', '--role', 'auditor')).tenantIds, [tenant.id])
  const freed = await update('--all-tenants', '--never-expires', '--name', 'Kim L.')
  assert.deepEqual(
    [freed.tenantIds, freed.expiresAt, freed.scopes, freed.name],
    [null, null, ['events:read'], 'Kim L.'],
  )
  const rotated = await asked(['operator', 'rotate', id, '--overlap-hours', '0'])
  assert.notEqual(rotated.key, key)
  assert.match((await run(['operator', 'show'], key)).errors, /INVALID_ADMIN_KEY/)
  await tenantry(['operator', 'show'], rotated.key)
  assert.equal(await tenantry(['operator', 'revoke', id]), `Revoked operator ${id}.\n`)
  assert.match((await run(['operator', 'show'], rotated.key)).errors, /INVALID_ADMIN_KEY/)
  for (const text of [await tenantry(['operator', 'list']), await tenantry(['operator', 'show', id])])
    assert.ok(!/op_\w/.test(text))
})

test('explains what is missing or contradictory before it asks the server', async () => {
  const cases: [readonly string[], RegExp][] = [
    [create, /specify what the operator may do: --role, or --scope once or more/],
    [[...create, '--role', 'boss'], /Allowed choices are owner, admin, developer, support, auditor, viewer/],
    [[...create, '--scope', 'users:reed'], /Allowed scopes: .*users:read/],
    [[...create, '--scope', 'users:read', '--role', 'viewer'], /cannot be used with option/],
    [[...create, '--role', 'viewer', '--tenant', ''], /--tenant is empty; specify a name or id/],
    [['operator', 'update', 'x'], /specify what to change/],
    [['operator', 'update', 'x', '--all-tenants', '--tenant', 'a'], /cannot be used with option/],
    [['operator', 'update', 'x', '--never-expires', '--expires-at', '2027-01-31'], /cannot be used with option/],
    [['operator', 'rotate', 'x', '--overlap-hours', '1d'], /Must be a whole number from 0 to 8760\./],
    [['operator', 'rotate', 'x', '--overlap-hours', '8761'], /Must be a whole number from 0 to 8760\./],
    [['key', 'rotate', 'x', '--overlap-seconds', '31536001'], /Must be a whole number from 0 to 31536000\./],
    [['events', 'list', '--limit', '0'], /Must be a whole number from 1 to 999999\./],
    [['events', 'list', '--limit', '1000000'], /Must be a whole number from 1 to 999999\./],
  ]
  for (const [words, said] of cases) {
    const { exitCode, errors } = await run(words)
    assert.match(errors, said)
    assert.equal(exitCode, 2, words.join(' '))
  }
  assert.match(
    (await run([...create, '--role', 'viewer', '--tenant', 'nope'])).errors,
    /No tenant has the name or id "nope"/,
  )
  assert.match((await run(['operator', 'show', 'nope'])).errors, /Run "tenantry operator list"/)
})
