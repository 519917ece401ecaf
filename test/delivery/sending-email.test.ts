import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readMail } from '../support/delivery/received-mail.ts'
import {
  httpSettings,
  newWebhookSecret,
  smtpSettings,
  startGateway,
  startMailServer,
  startTenantSmtp,
} from '../support/delivery/sending.ts'
import {
  deploymentFrom,
  deploymentSmtp,
  drain,
  messageOf,
  startSendingService,
} from '../support/delivery/sending-service.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import type { TestService } from '../support/service.ts'

const scope = 'otp_signin'
const email = 'jane@example.org'

let shared: SmtpPeer
let service: TestService

before(async () => {
  shared = await startMailServer()
  // Webhook signatures are verified with the machine's clock.
  service = await startSendingService([deploymentSmtp(shared)], { start: Date.now() })
})
after(() => service.close())

const mailsTo = (peer: SmtpPeer, address: string) =>
  peer.received.filter(({ to }) => to.includes(address)).map(readMail)

test('sends through the deployment for a tenant without senders, and the code verifies', async () => {
  const { client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope, email })
  await drain(service)
  const [mail, ...more] = mailsTo(shared, email)
  assert.ok(mail !== undefined && more.length === 0)
  assert.equal(mail.from, `${deploymentFrom.name} <${deploymentFrom.address}>`)
  assert.equal(mail.subject, 'Your sign-in code for Test tenant')
  assert.match(mail.html, new RegExp(mail.code!))
  assert.equal((await client.getOtpStatus({ id, scope })).delivery, 'sent')
  assert.equal(messageOf(service, id)['sender'], 'smtp')
  await client.verifyOtp({ id, scope, code: mail.code! })
})

test('returns no code and has no testing channel in production', async () => {
  const { client } = await service.addTenant()
  const issued = await client.issueOtp({ scope, email: 'quiet@example.org' })
  await drain(service)
  const [mail] = mailsTo(shared, 'quiet@example.org')
  assert.ok(!JSON.stringify(issued).includes(mail!.code!))
  await refused(service.admin.listTestingChannelMessages({ otpId: issued.id }), 'NOT_FOUND')
})

test('sends through the tenant’s own server and address only', async () => {
  const { tenants, peers } = await startTenantsOfTheirOwn()
  const before = shared.received.length
  const issued = await Promise.all(
    tenants.flatMap(({ client }, index) =>
      Array.from({ length: 10 }, async (_, person) => {
        const address = `person-${person}@t${index}.example`
        return { index, address, client, ...(await client.issueOtp({ scope, email: address })) }
      }),
    ),
  )
  await drain(service)
  assert.equal(shared.received.length, before)
  for (const { index, address, client, id } of issued) {
    for (const [place, peer] of peers.entries()) {
      const mails = mailsTo(peer, address)
      assert.equal(mails.length, place === index ? 1 : 0)
      if (mails[0] === undefined) continue
      assert.equal(mails[0].from, `Tenant ${index} <hello@t${index}.example>`)
      assert.equal(mails[0].messageId.split('@')[1], `t${index}.example>`)
      await client.verifyOtp({ id, scope, code: mails[0].code! })
    }
  }
  for (const [index, { received }] of peers.entries())
    assert.deepEqual([...new Set(received.map(({ user, secure }) => `${user} ${secure}`))], [`user-${index} true`])
})

/** Two tenants, each with a mail server that only accepts its credentials. */
async function startTenantsOfTheirOwn() {
  const credentials = [0, 1].map((index) => ({ user: `user-${index}`, password: `password of ${index}` }))
  const peers = await Promise.all(credentials.map((own) => startTenantSmtp({ credentials: own })))
  const tenants = await Promise.all(
    peers.map((peer, index) =>
      service.addTenant({
        configuration: {
          delivery: {
            email: [smtpSettings(peer, credentials[index])],
            from: { address: `hello@t${index}.example`, name: `Tenant ${index}` },
          },
        },
      }),
    ),
  )
  return { tenants, peers }
}

test('posts e-mail as signed JSON to the tenant’s gateway', async () => {
  const secret = newWebhookSecret()
  const gateway = await startGateway({ status: 202 })
  const { tenantId, client } = await service.addTenant({
    configuration: { delivery: { email: [httpSettings(gateway, secret)] } },
  })
  const { id } = await client.issueOtp({ scope, email, locale: 'de' })
  await drain(service)
  const [request] = gateway.requests
  const headers = request!.headers as Record<string, string>
  const message = new Webhook(secret).verify(request!.body, headers) as Record<string, string>
  assert.deepEqual(
    ['tenantId', 'scope', 'method', 'recipient', 'locale'].map((field) => message[field]),
    [tenantId, scope, 'email', email, 'de'],
  )
  await client.verifyOtp({ id, scope, code: /^\d{6}$/m.exec(message['text']!)![0] })
})

test('applies changed settings to the next message, without losing or duplicating one being sent', async () => {
  const [first, second] = [await startTenantSmtp(), await startTenantSmtp()]
  const { tenantId, client } = await service.addTenant({ configuration: settingsOf(first) })
  const issue = (prefix: string) =>
    Promise.all(Array.from({ length: 40 }, (_, at) => client.issueOtp({ scope, email: `${prefix}-${at}@example.org` })))
  const before = await issue('before')
  await service.admin.updateConfiguration({ tenantId }, settingsOf(second))
  const then = await issue('then')
  await drain(service)
  // The closed pool returns messages without a connection, which then go through the new one.
  service.clock.advance(10_000)
  await drain(service)
  const arrived = [...first.received, ...second.received].flatMap(({ to }) => to).toSorted()
  assert.equal(arrived.length, 80)
  assert.equal(new Set(arrived).size, 80)
  assert.ok(second.received.filter(({ to }) => to[0]?.startsWith('then')).length === 40)
  for (const { id } of [...before, ...then]) assert.equal(messageOf(service, id)['state'], 'sent')
})

const settingsOf = (peer: SmtpPeer) => ({
  delivery: { email: [smtpSettings(peer)], from: { address: 'own@example.com' } },
})

test('sends a notice without a code after a password reset', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await drain(service)
  const [challenged] = mailsTo(shared, person.email)
  const code = challenged!.code!
  assert.equal(challenged!.subject, 'Your code to reset your Test tenant password')
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
  await drain(service)
  const [, notice, ...more] = mailsTo(shared, person.email)
  assert.ok(notice !== undefined && more.length === 0)
  assert.equal(notice.subject, 'Your Test tenant password was changed')
  const said = `${notice.subject}${notice.text}`
  assert.doesNotMatch(said, /\d{4}|battery|staple/)
  assert.ok(!notice.html.includes(code))
})

test('refuses a code without an e-mail sender, and reveals nothing in a challenge', async () => {
  await using lonely = await startSendingService([])
  const tenant = await lonely.addTenant()
  const person = await addPerson(lonely, tenant)
  await refused(tenant.client.issueOtp({ scope, email }), 'OTP_METHOD_NOT_AVAILABLE')
  await refused(tenant.client.issueOtp({ scope, phone: '+33612345678' }), 'OTP_METHOD_NOT_AVAILABLE')
  await refused(tenant.client.resetPassword({ step: 'challenge', email: person.email }), 'UNEXPECTED_STATE')
  await refused(tenant.client.resetPassword({ step: 'challenge', email: 'unknown@example.org' }), 'UNEXPECTED_STATE')
})

test('uses the deployment’s senders for an empty list', async () => {
  const { client } = await service.addTenant({ configuration: { delivery: { email: [] } } })
  await client.issueOtp({ scope, email: 'empty-list@example.org' })
  await drain(service)
  assert.equal(mailsTo(shared, 'empty-list@example.org').length, 1)
})
