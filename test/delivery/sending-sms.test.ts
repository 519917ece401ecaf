import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createTenantryClient, type TenantryClient } from '../../packages/client/src/index.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import {
  deploymentTwilio,
  httpSettings,
  newWebhookSecret,
  startGateway,
  startTwilio,
  twilioYes,
} from '../support/delivery/sending.ts'
import { drain, drainTwice, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import type { HttpPeer } from '../support/peers/http-peer.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import type { TestService } from '../support/service.ts'

const scope = 'otp_signin'
const french = '+33612345678'
const DAY = 86_400_000

let twilio: HttpPeer
let service: TestService

before(async () => {
  twilio = await startTwilio()
  // Webhook signatures are verified with the machine's clock.
  service = await startSendingService([deploymentTwilio(twilio)], { start: Date.now() })
})
after(() => service.close())

/** The requests to Twilio for a number. */
const smsTo = (peer: HttpPeer, number: string) =>
  peer.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body))).filter(({ To }) => To === number)

const addTenant = (delivery: object, on = service) => on.addTenant({ configuration: { delivery } })

test('sends an SMS through Twilio, and the code verifies', async () => {
  const { client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope, phone: french })
  await drain(service)
  const [sms, ...more] = smsTo(twilio, french)
  assert.ok(sms !== undefined && more.length === 0)
  const code = /\b\d{6}\b/.exec(sms['Body']!)![0]
  assert.equal(
    sms['Body'],
    `Test tenant: ${code} is your sign-in code. Valid for 10 minutes. Don't share it with anyone.`,
  )
  assert.equal(sms['From'], '+15005550006')
  await client.verifyOtp({ id, scope, code })
})

test('signs an SMS for the tenant’s gateway', async () => {
  const secret = newWebhookSecret()
  const gateway = await startGateway({ status: 204 })
  const { tenantId, client } = await addTenant({ sms: [httpSettings(gateway, secret)] })
  const before = twilio.requests.length
  const { id } = await client.issueOtp({ scope, phone: french })
  await drain(service)
  const [request, ...more] = gateway.requests
  assert.ok(request !== undefined && more.length === 0)
  const headers = request.headers as Record<string, string>
  const message = new Webhook(secret).verify(request.body, headers) as Record<string, string>
  assert.deepEqual([message['tenantId'], message['recipient'], message['method']], [tenantId, french, 'sms'])
  assert.equal(headers['webhook-id'], messageOf(service, id)['id'])
  assert.throws(() => new Webhook(newWebhookSecret()).verify(request.body, headers))
  assert.equal(twilio.requests.length, before, 'the deployment’s account is not used')
  await client.verifyOtp({ id, scope, code: /\b\d{6}\b/.exec(message['text']!)![0] })
})

test('ends an SMS with the WebOTP line for the tenant’s site', async () => {
  const { client } = await addTenant({ webOtpDomain: 'app.example.com' })
  await client.issueOtp({ scope, phone: '+33612345601' })
  await drain(service)
  const lines = smsTo(twilio, '+33612345601')[0]!['Body']!.split('\n')
  const code = /\b\d{6}\b/.exec(lines[0]!)![0]
  assert.equal(lines.at(-1), `@app.example.com #${code}`)
})

test('refuses numbers of countries that are not allowed, without storing or sending anything', async () => {
  const { tenantId, client } = await addTenant({ smsCountries: ['FR', 'US'] })
  const before = twilio.requests.length
  for (const phone of ['+447400123456', '+4915112345678', '+14165550123'])
    await refused(client.issueOtp({ scope, phone }), 'OTP_METHOD_NOT_AVAILABLE')
  assert.deepEqual(storedRows(service, 'SELECT id FROM otps WHERE tenant_id = ?', tenantId), [])
  await client.issueOtp({ scope, phone: french })
  await client.issueOtp({ scope, phone: '+12025550123' })
  await client.issueOtp({ scope, email: 'unknown@example.com' }).catch(() => {})
  await drain(service)
  assert.equal(twilio.requests.length, before + 2)
})

test('verifies a delivered code after its country is disallowed, and fails a resend with the reason', async () => {
  const { tenantId, client } = await addTenant({ smsCountries: ['FR'] })
  const phone = '+33612345602'
  const { id } = await client.issueOtp({ scope, phone })
  await drain(service)
  await service.admin.updateConfiguration({ tenantId }, { delivery: { smsCountries: [] } })
  await refused(client.issueOtp({ scope, phone }), 'OTP_METHOD_NOT_AVAILABLE')
  service.clock.advance(60_000)
  await client.resendOtp({ id, scope })
  await drain(service)
  const { state, last_error } = messageOf(service, id)
  assert.deepEqual([state, last_error], ['failed', 'SMS to this country are not allowed'])
  const [sms, ...more] = smsTo(twilio, phone)
  assert.equal(more.length, 0)
  await client.verifyOtp({ id, scope, code: /\b\d{6}\b/.exec(sms!['Body']!)![0] })
})

test('sends five of twenty parallel SMS with a budget of five, and more on the next day', async () => {
  await using day = await startDay()
  const { client } = await addTenant({ smsDailyBudget: 5 }, day.service)
  const ids = await day.issue(client, 20)
  await drainTwice(day.service)
  assert.equal(day.peer.requests.length, 5)
  const rows = ids.map((id) => messageOf(day.service, id))
  const unsent = rows.filter(({ state }) => state === 'failed')
  assert.deepEqual([unsent.length, rows.filter(({ state }) => state === 'sent').length], [15, 5])
  assert.deepEqual([...new Set(unsent.map((row) => row['last_error']))], ['The SMS budget of the day is used up'])
  assert.ok(day.service.log.some((line) => line.includes('daily SMS budget of the tenant is used up')))
  day.service.clock.advance(DAY)
  await day.issue(client, 7)
  await drain(day.service)
  assert.equal(day.peer.requests.length, 10)
})

test('sends 500 SMS a day for a tenant that sets no budget, and none for a budget of 0', async () => {
  await using day = await startDay()
  const silent = await addTenant({ smsDailyBudget: 0 }, day.service)
  const unset = await day.service.addTenant()
  const configured = await addTenant({ defaultLocale: 'fr' }, day.service)
  for (const tenant of [unset, configured]) {
    const { smsSpending } = day.service.service.services.storage.forTenant(tenant.tenantId)
    const today = new Date(day.service.clock.now()).toISOString().slice(0, 10)
    await Promise.all(Array.from({ length: 498 }, () => smsSpending.spend(today, 500)))
    const before = day.peer.requests.length
    const ids = await day.issue(tenant.client, 3)
    await drainTwice(day.service)
    assert.equal(day.peer.requests.length, before + 2)
    const errors = ids.map((id) => messageOf(day.service, id)['last_error']).filter((error) => error !== null)
    assert.deepEqual(errors, ['The SMS budget of the day is used up'])
  }
  const before = day.peer.requests.length
  await day.issue(silent.client, 1)
  await drain(day.service)
  assert.equal(day.peer.requests.length, before)
})

test('sends notices beyond the budget of the day, but not with a budget of 0', async () => {
  await using day = await startDay()
  for (const [smsDailyBudget, arrive] of [
    [1, 1],
    [0, 0],
  ] as const) {
    const tenant = await addTenant({ smsDailyBudget: 500 }, day.service)
    const person = await addPerson(day.service, tenant)
    const { id } = await person.issue('phone_verification')
    await drain(day.service)
    const [sms] = smsTo(day.peer, person.phone)
    const code = /\b\d{6}\b/.exec(sms!['Body']!)![0]
    await tenant.client.verifyOtp({ id, scope: 'phone_verification', code })
    await day.service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { delivery: { smsDailyBudget } })
    const before = smsTo(day.peer, person.phone).length
    const { password: currentPassword } = person
    await (await person.client()).changePassword({ currentPassword, password: 'another password' })
    await drain(day.service)
    assert.equal(smsTo(day.peer, person.phone).length - before, arrive)
  }
})

test('refuses an SMS budget that is not a whole number', async () => {
  const { tenantId } = await service.addTenant()
  for (const smsDailyBudget of [-1, 1.5, '500', 10_000_001, true, [500], 'off']) {
    const delivery = { smsDailyBudget } as never
    await refused(service.admin.updateConfiguration({ tenantId }, { delivery }), 'VALIDATION_ERROR')
  }
  await service.admin.updateConfiguration({ tenantId }, { delivery: { smsDailyBudget: 7 } })
  const { delivery } = await service.admin.updateConfiguration({ tenantId }, { delivery: { smsDailyBudget: null } })
  assert.equal((delivery as { smsDailyBudget: number }).smsDailyBudget, 500)
})

test('counts budgets per tenant', async () => {
  await using day = await startDay()
  const [one, two] = [
    await addTenant({ smsDailyBudget: 1 }, day.service),
    await addTenant({ smsDailyBudget: 1 }, day.service),
  ]
  for (const { client } of [one, two]) await day.issue(client, 3)
  await drain(day.service)
  assert.equal(day.peer.requests.length, 2)
})

test('does not charge the budget for failed SMS', async () => {
  let reply = 500
  const peer = await startTwilio(() => ({ status: reply }))
  await using failing = await startSendingService([deploymentTwilio(peer)])
  const { client } = await addTenant({ smsDailyBudget: 2 }, failing)
  for (let message = 0; message < 3; message++) {
    await client.issueOtp({ scope, phone: `+3361234570${message}` })
    await drain(failing)
  }
  reply = 201
  const { id } = await client.issueOtp({ scope, phone: french })
  await drain(failing)
  assert.equal(messageOf(failing, id)['state'], 'sent')
  assert.deepEqual(
    storedRows(failing, 'SELECT sent FROM sms_spending').map(({ sent }) => sent),
    [1],
  )
})

test('keeps the budget across a restart', async () => {
  await using day = await startDay()
  const tenant = await addTenant({ smsDailyBudget: 5 }, day.service)
  await day.issue(tenant.client, 3)
  await drain(day.service)
  // Another process on the same database, at the same time even.
  const { clock, masterKeys, database } = day.service
  const senders = [deploymentTwilio(day.peer)]
  await using restarted = await startSendingService(senders, { clock, masterKeys, database })
  await day.issue(createTenantryClient({ baseUrl: restarted.baseUrl, tenantKey: tenant.key }), 10)
  await Promise.all([drain(day.service), drain(restarted)])
  assert.equal(day.peer.requests.length, 5)
})

/** A separate service at noon, and its Twilio peer. */
async function startDay() {
  const peer = await startTwilio(twilioYes)
  const own = await startSendingService([deploymentTwilio(peer)])
  let number = 33_600_000_000
  return {
    peer,
    service: own,
    async issue(client: TenantryClient, count: number) {
      const phones = Array.from({ length: count }, () => `+${++number}`)
      return (await Promise.all(phones.map((phone) => client.issueOtp({ scope, phone })))).map(({ id }) => id)
    },
    [Symbol.asyncDispose]: () => own.close(),
  }
}

test('refuses a phone number without an SMS sender', async () => {
  await using lonely = await startSendingService([])
  const { client } = await lonely.addTenant()
  await refused(client.issueOtp({ scope, phone: french }), 'OTP_METHOD_NOT_AVAILABLE')
})
