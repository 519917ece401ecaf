import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { newUser } from '../../server/accounts/user.ts'
import { ulid } from '../../server/core/ids.ts'
import { changesNothing, storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const DAY = 86_400_000
let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const round = () => service.service.services.housekeeping.run()
const addTenant = (guest?: { idleDays?: number }) =>
  service.addTenant({ configuration: { auth: { methods: ['guest', 'otp', 'password'], ...(guest && { guest }) } } })
const signIn = ({ client }: TestTenant) => client.signIn({ method: 'guest' })
const guestsOf = ({ tenantId }: TestTenant) =>
  storedRows(service, 'SELECT id FROM users WHERE tenant_id = ? ORDER BY id', tenantId).map(({ id }) => id)

/** Keeps a session alive, which would expire after 30 days without use. */
async function refresh({ client }: TestTenant, { refreshToken }: SessionAnswer): Promise<SessionAnswer> {
  return client.refreshSession({ refreshToken })
}

test("erases an idle guest and all their data at the tenant's limit, to the millisecond", async () => {
  const tenant = await addTenant({ idleDays: 7 })
  const guest = await signIn(tenant)
  const client = tenant.client.withSession(guest.accessToken)
  await client.updateProfile({})
  const { id } = await client.changeEmail({ email: 'never-proven@example.com' })
  await service.codeOf(id)
  service.clock.advance(7 * DAY)
  await round()
  assert.deepEqual(guestsOf(tenant), [guest.user.id])
  service.clock.advance(1)
  await round()
  assert.deepEqual(guestsOf(tenant), [])
  assert.deepEqual(storedRows(service, 'SELECT * FROM profiles WHERE user_id = ?', guest.user.id), [])
  const recipients = storedRows(service, 'SELECT recipient FROM otps WHERE user_id = ?', guest.user.id)
  assert.deepEqual(recipients, [{ recipient: '' }])
  await refused(refresh(tenant, guest), 'TOKEN_USER_NOT_FOUND')
})

test('counts a refresh as activity, and a call with an access token not', async () => {
  const tenant = await addTenant({ idleDays: 1 })
  const [active, idle] = [await signIn(tenant), await signIn(tenant)]
  service.clock.advance(600_000)
  await tenant.client.withSession(idle.accessToken).getAccount()
  await refresh(tenant, active)
  service.clock.advance(DAY - 600_000 + 1)
  await round()
  assert.deepEqual(guestsOf(tenant), [active.user.id])
  service.clock.advance(600_000)
  await round()
  assert.deepEqual(guestsOf(tenant), [])
})

test('keeps users who verified an address, chose a password or were created by the operator', async () => {
  const tenant = await addTenant({ idleDays: 1 })
  const [byEmail, byPassword] = [await signIn(tenant), await signIn(tenant)]
  const proving = tenant.client.withSession(byEmail.accessToken)
  const { id } = await proving.changeEmail({ email: 'linked@example.com' })
  await tenant.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await tenant.client
    .withSession(byPassword.accessToken)
    .addIdentity({ method: 'password', password: 'correct horse', email: 'chosen@example.com' })
  const person = await addPerson(service, tenant)
  service.clock.advance(400 * DAY)
  await round()
  assert.deepEqual(guestsOf(tenant), [byEmail.user.id, byPassword.user.id, person.userId].sort())
})

test('keeps guests by the stored setting after a failover that lost a change whose revision another one got', async () => {
  const tenant = await addTenant({ idleDays: 1 })
  const guest = await signIn(tenant)
  await round()
  const { modules } = storedRow(service, 'SELECT modules FROM tenants WHERE id = ?', tenant.tenantId)
  const changed = String(modules).replace('"idleDays":1', '"idleDays":30')
  assert.notEqual(changed, modules)
  const change = 'UPDATE tenants SET modules = ?, updated_at = updated_at + 1 WHERE id = ?'
  await writeStored(service, change, changed, tenant.tenantId)
  service.clock.advance(2 * DAY)
  await round()
  assert.deepEqual(guestsOf(tenant), [guest.user.id])
})

test('keeps the guests of a tenant without the setting, whatever other tenants set', async () => {
  const tenants = [await addTenant(), await addTenant({}), await addTenant({ idleDays: 30 })]
  const strict = await addTenant({ idleDays: 1 })
  for (const tenant of [...tenants, strict]) await signIn(tenant)
  await round()
  service.clock.advance(2 * DAY)
  await round()
  assert.deepEqual(
    [...tenants, strict].map((tenant) => guestsOf(tenant).length),
    [1, 1, 1, 0],
  )
  await changesNothing(service, round)
})

test('applies a changed setting from the next round on', async () => {
  const tenant = await addTenant()
  const { tenantId } = tenant
  await signIn(tenant)
  service.clock.advance(3 * DAY)
  await round()
  assert.equal(guestsOf(tenant).length, 1)
  await service.admin.updateConfiguration({ tenantId }, { auth: { guest: { idleDays: 2 } } })
  await round()
  assert.deepEqual(guestsOf(tenant), [])

  await signIn(tenant)
  await service.admin.updateConfiguration({ tenantId }, { auth: { guest: null } })
  service.clock.advance(100 * DAY)
  await round()
  assert.equal(guestsOf(tenant).length, 1)
})

test('erases any number of idle guests in one round, and no active ones', async () => {
  const tenant = await addTenant({ idleDays: 1 })
  const long = service.clock.now() - DAY - 1
  await service.service.services.storage.forTenant(tenant.tenantId).write(async (tx) => {
    for (let count = 0; count < 350; count++) await tx.users.add(newUser(ulid(long), long, { guest: true }), null)
  })
  const { user } = await signIn(tenant)
  assert.equal(guestsOf(tenant).length, 351)
  await round()
  assert.deepEqual(guestsOf(tenant), [user.id])
})

/** The beginning of a tenant's transaction, by engine. */
const beginnings = ['sqlite.begin', 'postgres.enterTenant']

for (const [what, change] of [
  ['comes back', 'last_active_at = last_active_at + 2'],
  ['links an address', 'guest = 0'],
] as const) {
  test(`keeps a guest who ${what} between being listed and being erased`, async () => {
    let isListed = false
    const hooks = {
      onStatement(name: string) {
        if (name === 'user.idleGuests') isListed = true
        if (!beginnings.includes(name) || !isListed) return
        isListed = false
        service.database.ask(`UPDATE users SET ${change}`)
      },
    }
    await using service = await startTestService({ hooks })
    const auth = { methods: ['guest'], guest: { idleDays: 1 } }
    const { client } = await service.addTenant({ configuration: { auth } })
    const guest = await client.signIn({ method: 'guest' })
    service.clock.advance(DAY + 1)
    await service.service.services.housekeeping.run()
    assert.deepEqual(storedRows(service, 'SELECT id FROM users'), [{ id: guest.user.id }])
  })
}
