import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { addOpenTenant, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

const password = 'correct horse'
let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('rejects a common password where the tenant forbids them', async () => {
  const security = { passwordBlocklist: true }
  const strict = await service.addTenant({ configuration: { auth: { methods: ['password', 'guest'] }, security } })
  const client = strict.client.withSession((await strict.client.signIn({ method: 'guest' })).accessToken)
  const choose = (chosen: string) =>
    client.addIdentity({ method: 'password', email: 'jane@example.com', password: chosen })
  await changesNothing(service, () => invalid(choose('password123'), { password: 'Validation rule not met' }))
  assert.equal((await choose(password)).guest, false)
})

test('under enumeration protection, a password reveals nothing about the owner of an address', async () => {
  const quiet = await service.addTenant({
    configuration: { auth: { methods: ['password', 'guest'] }, security: { enumerationProtection: true } },
  })
  const { accessToken } = await quiet.client.signIn({ method: 'guest' })
  const client = quiet.client.withSession(accessToken)
  await service.admin.createUser(quiet, { email: 'known@example.com' })
  await changesNothing(service, async () => {
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await refused(client.addIdentity({ method: 'password', password, email }), 'EMAIL_NOT_SET')
    }
  })
})

test('an account that lost a mistyped address to its owner gains a password together with the right one', async () => {
  const tenant = await addOpenTenant(service)
  const [mistyped, email] = [newEmail(), newEmail()]
  const { user, accessToken } = await signInByCode(service, tenant, { phone: newPhone() })
  const client = tenant.client.withSession(accessToken)
  await client.addIdentity({ method: 'password', password, email: mistyped })
  await signInByCode(service, tenant, { email: mistyped })
  assert.deepEqual((await client.getAccount()).methods, ['otp'])
  const choice = { method: 'password', password: 'battery staple', email } as const
  await client.addIdentity(choice)
  assert.equal((await tenant.client.signIn(choice)).user.id, user.id)
  await refused(client.addIdentity(choice), 'IDENTITY_ALREADY_LINKED')
})
