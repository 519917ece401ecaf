import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing, storedBytes, storedOtp } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const newPassword = 'battery staple'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ limitsText: 'all=off,failed-passwords=10/15m' })
  tenant = await service.addTenant({ methods: ['password', 'otp', 'guest'] })
})
after(() => service.close())

async function passwordIs(person: Person, password: string): Promise<void> {
  assert.equal((await person.signIn(password)).user.id, person.userId)
  const other = password === newPassword ? person.password : newPassword
  await refused(person.signIn(other), 'INVALID_CREDENTIALS')
}

test('the current password authorizes a change in a session of any age; only the new one then signs in', async () => {
  const person = await addPerson(service, tenant)
  const session = await person.signIn()
  service.clock.advance(880_000)
  const body = { currentPassword: person.password, password: newPassword }
  const { accessToken: token } = session
  const answer = await request(service, 'POST /account/password', { key: tenant.key, token, body })
  assert.deepEqual([answer.status, answer.body.data], [201, { success: true }])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  await passwordIs(person, newPassword)
})

test('rejects a wrong current password without hashing the new one', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const { hasher } = service.service.services
  const { hashes } = hasher
  await changesNothing(service, async () => {
    const wrong = { currentPassword: 'not the password', password: newPassword }
    await refused(client.changePassword(wrong), 'INVALID_CREDENTIALS')
    await refused(client.changePassword({ ...wrong, currentPassword: `${person.password} ` }), 'INVALID_CREDENTIALS')
  })
  assert.equal(hasher.hashes, hashes)
  await passwordIs(person, person.password)
})

test('rejects the 11th wrong password in 15 minutes without comparing it, as sign-in does; right ones do not count', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await client.changePassword({ currentPassword: person.password, password: newPassword })
  const wrong = { currentPassword: 'not the password', password: 'another password' }
  for (let count = 0; count < 10; count++) await refused(client.changePassword(wrong), 'INVALID_CREDENTIALS')
  const { hasher } = service.service.services
  const { verifies } = hasher
  await changesNothing(service, async () => {
    const { retryAfter } = await refused(client.changePassword(wrong), 'TOO_MANY_REQUESTS')
    assert.equal(retryAfter, 900)
    await refused(client.changePassword({ ...wrong, currentPassword: newPassword }), 'TOO_MANY_REQUESTS')
    await refused(person.signIn(newPassword), 'TOO_MANY_REQUESTS')
  })
  assert.equal(hasher.verifies, verifies)
  service.clock.advance(900_000)
  await passwordIs(person, newPassword)
})

test('without the current password, requires a sign-in of the last ten minutes, to the millisecond', async () => {
  const person = await addPerson(service, tenant)
  const { accessToken, refreshToken } = await person.signIn()
  const client = tenant.client.withSession(accessToken)
  service.clock.advance(599_999)
  await client.changePassword({ password: newPassword })
  service.clock.advance(1)
  await changesNothing(service, async () => {
    await refused(client.changePassword({ password: 'another password' }), 'FRESH_SIGN_IN_REQUIRED')
  })
  const refreshed = tenant.client.withSession((await tenant.client.refreshSession({ refreshToken })).accessToken)
  await refused(refreshed.changePassword({ password: 'another password' }), 'FRESH_SIGN_IN_REQUIRED')
  await passwordIs(person, newPassword)
})

test('a user with an e-mail address and no password sets one; any current password is wrong', async () => {
  const { id: token } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'passwordless@example.com' })
  await tenant.client.verifyOtp({ id: token, scope: 'otp_signin', code: await service.codeOf(token) })
  const client = tenant.client.withSession((await tenant.client.signIn({ method: 'otp', token })).accessToken)
  await refused(client.changePassword({ currentPassword: 'anything', password: newPassword }), 'INVALID_CREDENTIALS')
  await client.changePassword({ password: newPassword })
  assert.deepEqual((await client.getAccount()).methods, ['password', 'otp'])
  await tenant.client.signIn({ method: 'password', email: 'passwordless@example.com', password: newPassword })
})

test('rejects a password for a user without an e-mail address', async () => {
  const guest = tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
  await changesNothing(service, () => refused(guest.changePassword({ password: newPassword }), 'EMAIL_NOT_SET'))
})

test('sets no password where the tenant disabled the method', async () => {
  const { tenantId, client } = tenant
  const person = await addPerson(service, tenant)
  const own = await person.client()
  const methods = (methods: ('otp' | 'password' | 'guest')[]) =>
    service.admin.updateConfiguration({ tenantId }, { auth: { methods } })
  await methods(['otp'])
  await changesNothing(service, () => refused(own.changePassword({ password: newPassword }), 'AUTH_METHOD_NOT_ENABLED'))
  await methods(['password', 'otp', 'guest'])
  await client.signIn({ method: 'password', email: person.email, password: person.password })
})

test('accepts 8 to 1024 code points and compares passwords by their bytes (C29)', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const change = (password: string) => client.changePassword({ password })
  const tooShort = { password: 'String must contain at least 8 character(s)' }
  const tooLong = { password: 'String must contain at most 1024 character(s)' }
  await changesNothing(service, async () => {
    await invalid(change('🔑🔑🔑🔑'), tooShort)
    await invalid(change('7 chars'), tooShort)
    await invalid(change('x'.repeat(1025)), tooLong)
    await invalid(change('🔑'.repeat(1025)), tooLong)
    await invalid(change('nul \0 inside'), { password: 'Invalid string' })
    await invalid(client.changePassword({} as never), { password: 'Required' })
    await invalid(client.changePassword({ currentPassword: '', password: newPassword }), {
      currentPassword: 'String must contain at least 1 character(s)',
    })
  })
  const accepted = ['🔑'.repeat(8), 'x'.repeat(64), `${'x'.repeat(71)}äöü`, '🔑'.repeat(1024), ' '.repeat(8)]
  for (const password of accepted) {
    await change(password)
    await person.signIn(password)
    await refused(person.signIn(Array.from(password).slice(1).join('')), 'INVALID_CREDENTIALS')
  }
  const composed = 'crème brûlée'
  await change(composed)
  await refused(person.signIn(composed.normalize('NFD')), 'INVALID_CREDENTIALS')
  await person.signIn(composed)
})

test('rejects common passwords only where the tenant says so (C30)', async () => {
  const person = await addPerson(service, tenant)
  await (await person.client()).changePassword({ password: 'password1' })
  const strict = await service.addTenant({ configuration: { security: { passwordBlocklist: true } } })
  const careful = await (await addPerson(service, strict)).client()
  const refusal = { password: 'Validation rule not met' }
  await changesNothing(service, () => invalid(careful.changePassword({ password: 'password1' }), refusal))
  await careful.changePassword({ password: newPassword })
})

test('revokes all other sessions of the user at once, and no session of other users', async () => {
  const person = await addPerson(service, tenant)
  const bystander = await (await addPerson(service, tenant)).client()
  const [own, other] = [await person.signIn(), await person.signIn()]
  const client = tenant.client.withSession(own.accessToken)
  await client.changePassword({ currentPassword: person.password, password: newPassword })
  await refused(tenant.client.withSession(other.accessToken).getAccount(), 'INVALID_USER_TOKEN')
  await refused(tenant.client.refreshSession({ refreshToken: other.refreshToken }), 'INVALID_REFRESH_TOKEN')
  assert.deepEqual(
    (await client.listSessions()).sessions.map(({ current }) => current),
    [true],
  )
  await tenant.client.refreshSession({ refreshToken: own.refreshToken })
  await bystander.getAccount()
})

test('cancels pending and verified resets and address changes of the user, and none of other users', async () => {
  const [person, bystander] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  const [verified, pending] = [await person.verified('reset_password'), await person.issue('reset_password')]
  const [verification, others] = [await person.issue('email_verification'), await bystander.verified('reset_password')]
  const client = await person.client()
  await client.changePassword({ currentPassword: person.password, password: newPassword })
  const states = [verified, pending.id, verification.id, others].map((id) => storedOtp(service, id)['state'])
  assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled', 'verified'])
  await refused(
    tenant.client.resetPassword({ step: 'confirm', token: verified, password: 'another password' }),
    'OTP_NOT_CONSUMABLE',
  )
})

test('notifies the user without the password, which no file contains', async () => {
  const person = await addPerson(service, tenant, 'the canary before')
  await person.prove()
  const client = await person.client()
  await client.changePassword({ currentPassword: 'the canary before', password: 'the canary after' })
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient: person.email })
  // The first one says that the number was verified.
  const [, notice, ...more] = messages.filter(({ scope }) => scope === null)
  assert.deepEqual(more, [])
  assert.deepEqual([notice!.code, notice!.otpId, notice!.deliveryMethod], [null, null, 'email'])
  assert.match(notice!.text, /password of your .* account was changed/)
  const places = [notice!.text, service.log.join(''), storedBytes(service).toString('latin1')]
  for (const place of places) assert.ok(!place.includes('the canary'))
})
