import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import {
  changesNothing,
  storedEverything,
  storedOtp,
  storedRow,
  storedRows,
  writeStored,
} from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'reset_password'
const newPassword = 'battery staple'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const confirm = (token: string, password = newPassword) =>
  tenant.client.resetPassword({ step: 'confirm', token, password })

async function passwordIs(person: Person, password: string): Promise<void> {
  await person.signIn(password)
  const other = password === newPassword ? person.password : newPassword
  await refused(person.signIn(other), 'INVALID_CREDENTIALS')
}

test('after challenge, verify and confirm the new password signs in and the old one does not', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified(scope)
  const body = { step: 'confirm', token, password: newPassword }
  const answer = await request(service, 'POST /auth/reset-password', { key: tenant.key, body })
  assert.equal(answer.status, 201)
  assert.deepEqual(Object.keys(answer.body), ['meta', 'data'])
  assert.deepEqual(answer.body.data, { success: true })
  assert.equal(answer.headers.get('set-cookie'), null)
  await passwordIs(person, newPassword)
  assert.equal(storedOtp(service, token)['state'], 'consumed')
})

test('leaves password, sessions and one-time passwords of the same address at another tenant alone', async () => {
  const person = await addPerson(service, tenant)
  const other = await service.addTenant()
  const account = { email: person.email, password: person.password }
  await service.admin.createUser({ tenantId: other.tenantId }, account)
  const { accessToken } = await other.client.signIn({ method: 'password', ...account })
  const { id } = await other.client.resetPassword({ step: 'challenge', email: person.email })
  const rowsThere = () => {
    const ofOther = Object.entries(storedEverything(service)).filter(([table]) => table !== 'tenant_keys')
    return ofOther.map(([, rows]) => rows.filter((row) => row['tenant_id'] === other.tenantId))
  }
  await service.codeOf(id)
  const before = rowsThere()
  await confirm(await person.verified(scope))
  await service.service.services.delivery.drain()
  assert.deepEqual(rowsThere(), before)
  assert.equal((await other.client.withSession(accessToken).getAccount()).email, person.email)
})

test('rejects a confirm before the code is verified', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue(scope)
  await changesNothing(service, () => refused(confirm(id), 'OTP_NOT_CONSUMABLE'))
  await passwordIs(person, person.password)
})

test('does not find a verified one-time password of another scope', async () => {
  const person = await addPerson(service, tenant)
  for (const other of OtpScope.options.filter((other) => other !== scope)) {
    const id = await person.verified(other)
    await changesNothing(service, () => refused(confirm(id), 'OTP_NOT_FOUND'))
  }
})

test('rejects a second confirm as consumed, also after the expiry, and stores nothing', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified(scope)
  await confirm(token)
  await changesNothing(service, () => refused(confirm(token, 'another password'), 'OTP_ALREADY_CONSUMED'))
  service.clock.advance(3_600_000)
  await changesNothing(service, () => refused(confirm(token, 'another password'), 'OTP_ALREADY_CONSUMED'))
  await passwordIs(person, newPassword)
})

test('a password that is too short leaves the one-time password valid', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified(scope)
  await changesNothing(service, () =>
    invalid(confirm(token, '7 chars'), { password: 'String must contain at least 8 character(s)' }),
  )
  assert.deepEqual(await confirm(token), { success: true })
})

test('confirms in the last millisecond; later the id is not found', async () => {
  const person = await addPerson(service, tenant)
  const [late, lastMoment] = [await person.verified(scope), await person.verified(scope)]
  service.clock.set(Number(storedOtp(service, late)['expires_at']))
  await changesNothing(service, () => refused(confirm(late), 'OTP_NOT_FOUND'))
  service.clock.advance(-1)
  await confirm(lastMoment)
  await passwordIs(person, newPassword)
})

test('after too many wrong codes, the right code does not lead to a confirm', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue(scope)
  const code = await service.codeOf(id)
  const verify = (code: string) => tenant.client.verifyOtp({ id, scope, code })
  for (let wrong = 0; wrong < 5; wrong++) await refused(verify(`${code}0`), 'OTP_INVALID_CODE')
  await changesNothing(service, async () => {
    await refused(verify(code), 'OTP_MAX_ATTEMPTS_REACHED')
    await refused(confirm(id), 'OTP_NOT_CONSUMABLE')
  })
  assert.equal(storedOtp(service, id)['wrong_codes'], 5)
  await passwordIs(person, person.password)
})

for (const [address, isProven] of [
  ['that it proves first', false],
  ['that was verified before', true],
] as const) {
  test(`a confirm of an address ${address} cancels all other resets of the user, and none of other users`, async () => {
    const person = await addPerson(service, tenant)
    if (isProven) await person.prove()
    const bystander = await addPerson(service, tenant)
    const bystanders = await bystander.verified(scope)
    const [first, second] = [await person.verified(scope), await person.verified(scope)]
    const { id: pending } = await person.issue(scope)
    const signInOtp = await person.verified('otp_signin')
    await confirm(first)
    const code = '123456'
    await changesNothing(service, async () => {
      await refused(confirm(second, 'another password'), 'OTP_NOT_CONSUMABLE')
      await refused(tenant.client.verifyOtp({ id: pending, scope, code }), 'OTP_NOT_PENDING')
      await refused(tenant.client.resendOtp({ id: pending, scope }), 'OTP_NOT_PENDING')
    })
    assert.equal(storedOtp(service, pending)['sealed_code'], null)
    assert.equal(storedOtp(service, signInOtp)['state'], 'verified')
    await passwordIs(person, newPassword)
    assert.deepEqual(await confirm(bystanders), { success: true })
  })

  test(`a confirm of an address ${address} revokes all sessions of the user, and none of other users`, async () => {
    const person = await addPerson(service, tenant)
    if (isProven) await person.prove()
    const bystander = await (await addPerson(service, tenant)).client()
    const clients = [await person.client(), await person.client(), await person.client()]
    for (const client of clients) await client.updateProfile({})
    await confirm(await person.verified(scope))
    await changesNothing(service, async () => {
      for (const client of clients) {
        await refused(client.updateProfile({}), 'INVALID_USER_TOKEN')
        await refused(client.getProfile(), 'INVALID_USER_TOKEN')
        await refused(client.issueOtp({ scope: 'email_verification' }), 'INVALID_USER_TOKEN')
      }
    })
    await bystander.updateProfile({})
  })
}

test('sets no password once the user or the password is deleted, or the address changed', async () => {
  const deleted = await addPerson(service, tenant)
  const passwordless = await addPerson(service, tenant)
  const moved = await addPerson(service, tenant)
  const tokens = [await deleted.verified(scope), await passwordless.verified(scope), await moved.verified(scope)]
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: deleted.userId })
  await writeStored(service, 'UPDATE users SET password_hash = NULL WHERE id = ?', passwordless.userId)
  // A change that cancels no one-time password, because the challenge stores its own just after it.
  await writeStored(service, "UPDATE users SET email = 'moved@example.com' WHERE id = ?", moved.userId)
  await changesNothing(service, async () => {
    for (const token of tokens) await refused(confirm(token), 'OTP_NOT_CONSUMABLE')
  })
  const find = 'SELECT password_hash FROM users WHERE id IN (?, ?)'
  assert.deepEqual(storedRows(service, find, deleted.userId, passwordless.userId), [{ password_hash: null }])
})

test('notifies the user of the new password, without a code or the password', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified(scope)
  await confirm(token)
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient: person.email })
  assert.equal(messages.length, 2)
  const notice = messages.find(({ otpId }) => otpId !== token)
  const { code, otpId, scope: noticeScope, deliveryMethod, text } = notice!
  assert.deepEqual(
    { code, otpId, noticeScope, deliveryMethod },
    { code: null, otpId: null, noticeScope: null, deliveryMethod: 'email' },
  )
  assert.match(text, /password of your .* account was changed/)
  assert.ok(!text.includes(newPassword) && !/\d{4,}/.test(text) && !text.includes(token))
})

test('verifies the address that received the code', async () => {
  const person = await addPerson(service, tenant)
  assert.equal((await person.signIn()).user.emailVerified, false)
  await confirm(await person.verified(scope))
  assert.equal((await person.signIn(newPassword)).user.emailVerified, true)
})

test('logs neither the password nor the code', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue(scope)
  const code = await service.codeOf(id)
  await tenant.client.verifyOtp({ id, scope, code })
  await confirm(id, 'a canary in the coal mine')
  const { password_hash: hash } = storedRow(service, 'SELECT password_hash FROM users WHERE id = ?', person.userId)
  for (const line of service.log) {
    assert.ok(!line.includes('canary') && !line.includes(String(hash)) && !line.includes(`"${code}"`), line)
  }
})
