import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { addPerson } from '../support/person.ts'
import { request } from '../support/raw-request.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { changesNothing, storedMessages, storedOtp, storedRows } from '../support/stored-rows.ts'

const scope = 'reset_password'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const challenge = (email: string, { client } = tenant) => client.resetPassword({ step: 'challenge', email })

test('a challenge answers with the one-time password it made, and sends its code to the address', async () => {
  const person = await addPerson(service, tenant)
  const body = { step: 'challenge', email: person.email }
  const { status, body: answer } = await request(service, 'POST /auth/reset-password', { key: tenant.key, body })
  assert.equal(status, 201)
  const { id } = answer.data
  const now = service.clock.now()
  const time = (ms: number) => new Date(ms).toISOString()
  assert.deepEqual(answer.data, { id, createdAt: time(now), expiresAt: time(now + 600_000), resendIntervalSeconds: 60 })
  assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)

  const code = await service.codeOf(id)
  assert.match(code, /^\d{6}$/)
  const { messages } = await service.admin.listTestingChannelMessages({ recipient: person.email })
  assert.equal(messages.length, 1)
  assert.equal(messages[0]!.deliveryMethod, 'email')
  assert.ok(messages[0]!.text.includes(code))
  assert.equal(storedMessages(service, id).length, 1)
})

test('length, life and interval are those of the tenant', async () => {
  const otp = { length: 10, ttlSeconds: 1, resendIntervalSeconds: 0 }
  const own = await service.addTenant({ configuration: { otp } })
  const person = await addPerson(service, own)
  const { id, createdAt, expiresAt, resendIntervalSeconds } = await challenge(person.email, own)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 1000)
  assert.equal(resendIntervalSeconds, 0)
  assert.match(await service.codeOf(id), /^\d{10}$/)
})

test('the code goes to the stored address, however the address was typed', async () => {
  const { tenantId } = tenant
  await service.admin.createUser({ tenantId }, { email: 'Mike@Example.com', password: 'correct horse' })
  const { id } = await challenge('  MIKE@EXAMPLE.COM ')
  assert.equal(storedMessages(service, id)[0]!['recipient'], 'mike@example.com')
})

test('addresses that only look like the stored one reach nobody', async () => {
  const { tenantId } = tenant
  await service.admin.createUser({ tenantId }, { email: 'kim@example.org', password: 'correct horse' })
  await changesNothing(service, async () => {
    for (const lookAlike of ['kım@example.org', '\u212Aim@example.org', 'kim@example.org\u200B', 'kim＠example.org']) {
      await invalid(challenge(lookAlike), { email: 'Invalid email' })
    }
    for (const other of ['kim@exаmple.org', 'kim@examp1e.org', 'kim+1@example.org', 'k.im@example.org']) {
      await refused(challenge(other), 'RESET_PASSWORD_USER_NOT_FOUND')
    }
  })
})

test('one without a password is as unknown as nobody, and nothing is made or sent', async () => {
  const { tenantId } = tenant
  await service.admin.createUser({ tenantId }, { email: 'otp-only@example.com' })
  const gone = await addPerson(service, tenant)
  await service.admin.deleteUser({ tenantId, userId: gone.userId })
  const elsewhere = await addPerson(service, await service.addTenant())
  const ask = async (email: string) => {
    const body = { step: 'challenge', email }
    const answer = await request(service, 'POST /auth/reset-password', { key: tenant.key, body })
    return { status: answer.status, error: answer.body.error, keys: Object.keys(answer.body) }
  }
  await changesNothing(service, async () => {
    const unknown = await ask('nobody@example.com')
    assert.equal(unknown.status, 409)
    assert.equal(unknown.error.code, 'RESET_PASSWORD_USER_NOT_FOUND')
    for (const email of ['otp-only@example.com', gone.email, elsewhere.email])
      assert.deepEqual(await ask(email), unknown)
  })
})

test('every challenge makes an id and a code of its own, and leaves the older ones as they are', async () => {
  const person = await addPerson(service, tenant)
  const first = await challenge(person.email)
  const second = await challenge(person.email)
  assert.notEqual(first.id, second.id)
  const code = await service.codeOf(first.id)
  for (let more = 0; more < 5; more++) await challenge(person.email)

  await tenant.client.verifyOtp({ id: first.id, scope, code })
  const confirm = (token: string) => tenant.client.resetPassword({ step: 'confirm', token, password: 'a new password' })
  await refused(confirm(second.id), 'OTP_NOT_CONSUMABLE')
  assert.equal(storedOtp(service, second.id)['state'], 'pending')
  assert.deepEqual(await confirm(first.id), { success: true })
})

test('a wrong or missing step, and fields of the wrong form, are told in the words of the contract', async () => {
  const reset = (body: unknown) => tenant.client.resetPassword(body as never)
  const { email } = await addPerson(service, tenant)
  await changesNothing(service, async () => {
    await invalid(reset({}), { step: 'Required' })
    await invalid(reset({ email }), { step: 'Required' })
    for (const step of ['verify', 'Challenge', '', ['challenge'], null, 1]) {
      await invalid(reset({ step, email }), { step: 'Invalid enum value' })
    }
    await invalid(reset({ step: 'challenge' }), { email: 'Required' })
    await invalid(reset({ step: 'challenge', token: 'x', password: 'long enough' }), { email: 'Required' })
    for (const bad of ['', 'jane', 'jane@', '@example.com', 'a@b,c@d', '<a@b.c>', 'a@b.c\r\nBcc: d@e.f']) {
      await invalid(reset({ step: 'challenge', email: bad }), { email: 'Invalid email' })
    }
  })
})

test('an address that is no string makes nothing', async () => {
  const { email } = await addPerson(service, tenant)
  await changesNothing(service, async () => {
    for (const bad of [[email, 'evil@example.com'], { email }, 1, true, null]) {
      const refusal = await refused(challenge(bad as never), 'VALIDATION_ERROR')
      assert.deepEqual(Object.keys(refusal.validation ?? {}), ['email'])
    }
  })
})

test('fields of the other step are ignored', async () => {
  const { email } = await addPerson(service, tenant)
  const body = { step: 'challenge' as const, email, token: 'unknown', password: 'short' }
  const { id } = await tenant.client.resetPassword(body)
  assert.equal(storedOtp(service, id)['state'], 'pending')
})

test('restricted for the tenant, both steps are refused before the body is looked at', async () => {
  const restricted = await service.addTenant()
  const { tenantId } = restricted
  const person = await addPerson(service, restricted)
  const token = await person.verified(scope)
  const reset = (body: object) => restricted.client.resetPassword(body as never)
  const refusesBothSteps = () =>
    changesNothing(service, async () => {
      await refused(reset({ step: 'challenge', email: person.email }), 'RESTRICTED_CAPABILITY')
      await refused(reset({ step: 'confirm', token, password: 'a new password' }), 'RESTRICTED_CAPABILITY')
      await refused(reset({}), 'RESTRICTED_CAPABILITY')
    })

  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['reset_password'] })
  await refusesBothSteps()
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['otp', 'sign_in'] })
  await reset({ step: 'challenge', email: person.email })
  await service.admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp', 'guest'] } })
  await refusesBothSteps()
  await service.admin.updateConfiguration({ tenantId }, { auth: null })
  assert.deepEqual(await reset({ step: 'confirm', token, password: 'a new password' }), { success: true })
})

test('a tenant without an OTP module is in an unexpected state', async () => {
  const broken = await service.addTenant()
  const person = await addPerson(service, broken)
  await service.admin.updateConfiguration({ tenantId: broken.tenantId }, { otp: null })
  await changesNothing(service, async () => {
    await refused(challenge(person.email, broken), 'UNEXPECTED_STATE')
    await refused(challenge('nobody@example.com', broken), 'UNEXPECTED_STATE')
  })
})

test('nothing of the request but the address reaches the message', async () => {
  const person = await addPerson(service, tenant)
  const textOf = async (headers: Record<string, string>) => {
    service.clock.advance(1)
    const status = await post({ ...headers, 'x-tenant-key': tenant.key }, { step: 'challenge', email: person.email })
    assert.equal(status, 201)
    await service.service.services.delivery.drain()
    const { messages } = await service.admin.listTestingChannelMessages({ recipient: person.email })
    const { code, text } = messages.at(-1)!
    return text.replace(code!, '<code>')
  }
  const plain = await textOf({})
  const hosts = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
  assert.equal(await textOf({ ...hosts, forwarded: 'host=evil.example', origin: 'https://evil.example' }), plain)
  assert.doesNotMatch(plain, /:\/\/|evil|tenantry\.test/)
})

test('without a sender for e-mail a challenge is in an unexpected state, for the known and the unknown', async () => {
  const noEmail = { canDeliver: (method: string) => method === 'sms', deliver: async () => ({}) }
  await using service = await startTestService({ transport: noEmail })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  await changesNothing(service, async () => {
    await refused(challenge(person.email, tenant), 'UNEXPECTED_STATE')
    await refused(challenge('nobody@example.com', tenant), 'UNEXPECTED_STATE')
  })
  assert.deepEqual(storedRows(service, 'SELECT * FROM otps'), [])
})

/** Not by `fetch`, which decides about `Host` by itself. */
function post(headers: Record<string, string>, body: unknown): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${service.baseUrl}/auth/reset-password`
    const request = httpRequest(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    request.end(JSON.stringify(body))
  })
}
