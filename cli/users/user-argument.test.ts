import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson, type Person } from '../../test/support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
let tenant: TestTenant
let person: Person
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  person = await addPerson(service, tenant)
})
after(() => service.close())

/** Runs `tenantry user …` for the tenant. */
const user = (...words: string[]) => {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, TENANTRY_TENANT: tenant.tenantId }
  return type(['user', ...words], { env })
}

test('a user is found by id, e-mail address and phone number', async () => {
  const { userId, email, phone } = person
  const { output } = await user('show', userId)
  assert.match(output, new RegExp(userId))
  for (const address of [email, email.toUpperCase(), phone]) assert.equal((await user('show', address)).output, output)
})

test('every command about a user takes an address', async () => {
  const { userId, email } = person
  const path = { tenantId: tenant.tenantId, userId }
  await user('suspend', email)
  assert.notEqual((await service.admin.getUser(path)).suspension, null)
  await user('resume', email)
  await user('restrict', email, 'upload')
  await user('update', email, '--phone', '+33623450000')
  const { suspension, restrictedCapabilities, phone } = await service.admin.getUser(path)
  assert.deepEqual([suspension, restrictedCapabilities, phone], [null, ['upload'], '+33623450000'])
  assert.match((await user('identities', email)).output, /^ID /)
  assert.equal((await user('remove-identity', email, 'phone')).output, `Removed: phone of ${email}\n`)
  await person.signIn()
  assert.match((await user('sessions', email)).output, /^ID /)
  assert.equal((await user('end-sessions', email)).output, `Ended: all sessions of ${email}\n`)
  assert.equal((await user('profile', 'get', email)).exitCode, 0)
  assert.equal((await user('delete', email, '--yes')).output, `Deleted user ${email}.\n`)
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant.tenantId })).items, [])
})

test('an address that no user of the tenant has is named', async () => {
  const { tenantId } = await service.addTenant()
  await service.admin.createUser({ tenantId }, { email: 'else@example.com' })
  for (const [address, kind] of [
    ['else@example.com', 'e-mail address'],
    ['+33623459999', 'phone number'],
  ] as const) {
    const { exitCode, errors } = await user('delete', address, '--yes')
    assert.equal(exitCode, 1)
    assert.equal(errors, `No user of the tenant has the ${kind} ${address}. Run "tenantry user list" to see all.\n`)
  }
})

test('an empty user, as of an unset variable, is named', async () => {
  for (const empty of ['', ' ']) {
    const { exitCode, errors } = await user('show', empty)
    assert.equal(exitCode, 1)
    assert.equal(errors, 'The user is empty. Specify an id, an e-mail address or a phone number.\n')
  }
})
