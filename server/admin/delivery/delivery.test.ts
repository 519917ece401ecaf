import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NoticeKind } from '../../../contract/tenants/delivery-templates.ts'
import { deploymentSmtp } from '../../../test/support/delivery/sending-service.ts'
import { type HttpPeer, type HttpReply, startHttpPeer } from '../../../test/support/peers/http-peer.ts'
import { type SmtpPeer, startSmtpPeer } from '../../../test/support/peers/smtp-peer.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

const to = 'operator@example.com'
const phone = '+33612345678'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const scope = 'otp_signin'

let development: TestService
let production: TestService
let mailServer: SmtpPeer
let gateway: HttpPeer
/** The gateway's response, except on `/deaf`, which refuses everything. */
let reply: HttpReply = { status: 204 }

before(async () => {
  mailServer = await startSmtpPeer()
  gateway = await startHttpPeer(({ path }) => (path === '/deaf' ? { status: 503 } : reply))
  const smtp = deploymentSmtp(mailServer)
  development = await startTestService()
  production = await startTestService({
    environment: 'production',
    deploymentProviders: [smtp],
    allowPrivateDestinations: true,
  })
})
after(async () => {
  await development.close()
  await production.close()
  await mailServer.close()
  await gateway.close()
})

const sender = (name: string, path = '') => ({ type: 'http', name, url: `${gateway.url}/${path}`, secret }) as const

async function tenantWith(delivery: Record<string, unknown>): Promise<string> {
  reply = { status: 204 }
  return (await production.addTenant({ methods: ['otp'], configuration: { delivery } })).tenantId
}

/** The bodies of the requests since then. */
const taken = (since: number) => gateway.requests.slice(since).map(({ body }) => JSON.parse(body))

test('posts a test message to the testing channel outside production', async () => {
  const { tenantId } = await development.addTenant()
  const report = await development.admin.sendTestMessage({ tenantId }, { method: 'sms', to: '+33 6 12 34 56 78' })
  assert.deepEqual(report, { delivered: true, sender: null, problem: null, attempts: [] })
  const { messages } = await development.admin.listTestingChannelMessages({ tenantId })
  assert.deepEqual(
    messages.map(({ code, recipient, otpId }) => ({ code, recipient, otpId })),
    [{ code: '482913', recipient: phone, otpId: null }],
  )
})

test('includes a code in the test message of a notice only if the notice can have an undo code', async () => {
  const { tenantId } = await development.addTenant()
  for (const kind of NoticeKind.options)
    await development.admin.sendTestMessage({ tenantId }, { method: 'email', to, kind })
  const { messages } = await development.admin.listTestingChannelMessages({ tenantId })
  assert.deepEqual(
    messages.map(({ code, otpId, scope }) => ({ code, otpId, scope })),
    NoticeKind.options.map((kind) =>
      kind === 'email_changed' || kind === 'phone_changed'
        ? { code: '48291375', otpId: '01JZ8Q4W6N3T5V7X9Y2B4C6D8E', scope: null }
        : { code: null, otpId: null, scope: null },
    ),
  )
})

test('sends a test message in production without storing it', async () => {
  const tenantId = await tenantWith({})
  const before = mailServer.received.length
  const report = await production.admin.sendTestMessage({ tenantId }, { method: 'email', to, locale: 'de' })
  assert.deepEqual(report, {
    delivered: true,
    sender: 'smtp',
    problem: null,
    attempts: [{ sender: 'smtp', problem: null }],
  })
  const [mail, ...others] = mailServer.received.slice(before)
  assert.deepEqual([mail?.to, others], [[to], []])
  assert.match(mail?.raw ?? '', /Anmelde/)
  assert.ok(!production.log.some((line) => line.includes('482913')))
})

test('tries every sender and reports each by name and problem, or only the named one', async () => {
  const tenantId = await tenantWith({ sms: [sender('first', 'deaf'), sender('second')] })
  const before = gateway.requests.length
  const problem = '127.0.0.1 could not take the message now (503)'
  const both = await production.admin.sendTestMessage({ tenantId }, { method: 'sms', to: phone })
  assert.deepEqual(both, {
    delivered: true,
    sender: 'second',
    problem: null,
    attempts: [
      { sender: 'first', problem },
      { sender: 'second', problem: null },
    ],
  })
  assert.equal(new Set(taken(before).map(({ id }) => id)).size, 2)
  const one = await production.admin.sendTestMessage({ tenantId }, { method: 'sms', to: phone, sender: 'first' })
  assert.deepEqual(one, {
    delivered: false,
    sender: null,
    problem: `first: ${problem}`,
    attempts: [{ sender: 'first', problem }],
  })
  const none = await production.admin.sendTestMessage({ tenantId }, { method: 'sms', to: phone, sender: 'third' })
  assert.deepEqual([none.delivered, none.attempts], [false, []])
  assert.equal(none.problem, 'No sender of sms has this name. There are: first, second')
  assert.equal(gateway.requests.length, before + 3)
})

test('reports that no sender is configured or usable', async () => {
  const unreachable = await production.admin.sendTestMessage(
    { tenantId: await tenantWith({}) },
    { method: 'sms', to: phone },
  )
  assert.deepEqual([unreachable.delivered, unreachable.problem], [false, 'No sender of sms is set up'])
  await using strict = await startTestService({ environment: 'production' })
  const { tenantId } = await strict.addTenant({ methods: ['otp'], configuration: { delivery: { sms: [sender('a')] } } })
  const { problem } = await strict.admin.sendTestMessage({ tenantId }, { method: 'sms', to: phone })
  assert.equal(problem, 'a: The url of the sender a must begin with https://')
})

test('applies allowed countries and the daily budget to test messages', async () => {
  const before = gateway.requests.length
  const abroad = await tenantWith({ sms: [sender('gateway')], smsCountries: ['DE'] })
  const refused = await production.admin.sendTestMessage({ tenantId: abroad }, { method: 'sms', to: phone })
  assert.deepEqual([refused.delivered, refused.problem], [false, 'SMS to this country are not allowed'])
  assert.equal(gateway.requests.length, before)

  const thrifty = await tenantWith({ sms: [sender('gateway')], smsDailyBudget: 1 })
  const send = () => production.admin.sendTestMessage({ tenantId: thrifty }, { method: 'sms', to: phone })
  reply = { status: 500 }
  assert.equal((await send()).delivered, false)
  reply = { status: 204 }
  assert.equal((await send()).delivered, true)
  assert.equal((await send()).problem, 'gateway: The SMS budget of the day is used up')
  assert.equal(gateway.requests.length, before + 2)
})

test('sends test messages past an open circuit, without changing its state', async () => {
  const tenantId = await tenantWith({ sms: [sender('gateway')] })
  const { key } = await production.admin.createTenantKey({ tenantId }, {})
  const { delivery } = production.service.services
  const issue = () =>
    fetch(`${production.baseUrl}/otp`, {
      method: 'POST',
      headers: { 'x-tenant-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ scope, phone }),
    })
  const probe = async () =>
    (await production.admin.sendTestMessage({ tenantId }, { method: 'sms', to: phone })).delivered

  reply = { status: 500 }
  for (let failed = 0; failed < 6; failed++) assert.equal(await probe(), false)
  let before = gateway.requests.length
  await issue()
  await delivery.drain()
  assert.equal(gateway.requests.length, before + 1, 'still closed after six failed test messages')

  for (let failed = 0; failed < 4; failed++) await issue()
  await delivery.drain()
  before = gateway.requests.length
  await issue()
  await delivery.drain()
  assert.equal(gateway.requests.length, before, 'opened by five failed messages')
  reply = { status: 204 }
  assert.equal(await probe(), true)
  assert.equal(gateway.requests.length, before + 1)
  await issue()
  await delivery.drain()
  assert.equal(gateway.requests.length, before + 1, 'still open after a successful test message')
})

test('keeps the code out of the report when a server quotes the message', async () => {
  const chatty = await startSmtpPeer({ refuse: { at: 'data', code: 550, reply: (received) => received } })
  const smtp = deploymentSmtp(chatty)
  await using service = await startTestService({ environment: 'production', deploymentProviders: [smtp] })
  const { tenantId } = await service.addTenant()
  const report = await service.admin.sendTestMessage({ tenantId }, { method: 'email', to })
  await chatty.close()
  assert.equal(report.delivered, false)
  assert.match(report.problem ?? '', /^smtp: 127\.0\.0\.1 refused the message: /)
  assert.doesNotMatch(JSON.stringify(report), /482913/)
})

test('refuses an invalid address, and answers 404 for an unknown tenant', async () => {
  const { tenantId } = await development.addTenant()
  const { admin } = development
  await assert.rejects(admin.sendTestMessage({ tenantId }, { method: 'email', to: 'operator' }), {
    validation: { to: 'Invalid email' },
  })
  await assert.rejects(admin.sendTestMessage({ tenantId }, { method: 'sms', to: '0612345678' }), {
    validation: { to: 'Validation rule not met' },
  })
  const unknown = { tenantId: '01M7YRQNCSESKNDNW73532ZP9R' }
  await assert.rejects(admin.sendTestMessage(unknown, { method: 'email', to }), { code: 'TENANT_NOT_FOUND' })
  await assert.rejects(admin.previewMessage(unknown, { kind: scope, method: 'sms' }), { code: 'TENANT_NOT_FOUND' })
})
