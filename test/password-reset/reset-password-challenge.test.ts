import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { changesNothing, storedMessages, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'reset_password'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const challenge = (email: string, { client } = tenant) => client.resetPassword({ step: 'challenge', email })

test('a challenge returns its one-time password and sends the code to the address', async () => {
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

test("uses the tenant's length, lifetime and interval", async () => {
  const otp = { length: 10, ttlSeconds: 1, resendIntervalSeconds: 0 }
  const own = await service.addTenant({ configuration: { otp } })
  const person = await addPerson(service, own)
  const { id, createdAt, expiresAt, resendIntervalSeconds } = await challenge(person.email, own)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 1000)
  assert.equal(resendIntervalSeconds, 0)
  assert.match(await service.codeOf(id), /^\d{10}$/)
})

test('sends the code to the stored address, however the given one is spelled', async () => {
  const { tenantId } = tenant
  await service.admin.createUser({ tenantId }, { email: 'Mike@Example.com', password: 'correct horse' })
  const { id } = await challenge('  MIKE@EXAMPLE.COM ')
  assert.equal(storedMessages(service, id)[0]!['recipient'], 'mike@example.com')
})

test('an address that only looks like the stored one matches no user', async () => {
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

test('treats a user without a password as unknown, and creates and sends nothing', async () => {
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

test('each challenge creates an id and a code, and leaves earlier ones valid', async () => {
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

test("reports an invalid step and invalid fields with the contract's messages", async () => {
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

test('an address that is not a string creates nothing', async () => {
  const { email } = await addPerson(service, tenant)
  await changesNothing(service, async () => {
    for (const bad of [[email, 'evil@example.com'], { email }, 1, true, null]) {
      const refusal = await refused(challenge(bad as never), 'VALIDATION_ERROR')
      assert.deepEqual(Object.keys(refusal.validation ?? {}), ['email'])
    }
  })
})

test('ignores fields of the other step', async () => {
  const { email } = await addPerson(service, tenant)
  const body = { step: 'challenge' as const, email, token: 'unknown', password: 'short' }
  const { id } = await tenant.client.resetPassword(body)
  assert.equal(storedOtp(service, id)['state'], 'pending')
})

test('where restricted for the tenant, rejects both steps before validating the body', async () => {
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

test('reports an unexpected state where the tenant has no OTP module', async () => {
  const broken = await service.addTenant()
  const person = await addPerson(service, broken)
  await service.admin.updateConfiguration({ tenantId: broken.tenantId }, { otp: null })
  await changesNothing(service, async () => {
    await refused(challenge(person.email, broken), 'UNEXPECTED_STATE')
    await refused(challenge('nobody@example.com', broken), 'UNEXPECTED_STATE')
  })
})

test('puts nothing of the request but the address into the message', async () => {
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

test('reports an unexpected state without an e-mail sender, for known and unknown addresses', async () => {
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

/** Not with `fetch`, which sets `Host` itself. */
function post(headers: Record<string, string>, body: unknown): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${service.baseUrl}/auth/reset-password`
    const request = httpRequest(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    request.end(JSON.stringify(body))
  })
}
