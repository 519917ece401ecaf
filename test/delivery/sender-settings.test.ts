import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { findLeaks, removePlanted, type Secrets } from '../support/attacks/leak-scan.ts'
import { changesNothing, storedRow, writeStored } from '../support/databases/stored-rows.ts'
import { newWebhookSecret, smtpSettings, startGateway, startTenantSmtp } from '../support/delivery/sending.ts'
import { drain, startSendingService } from '../support/delivery/sending-service.ts'
import { request } from '../support/http/raw-request.ts'
import { invalid } from '../support/refused.ts'
import type { TestService } from '../support/service.ts'

const missing = 'Give the secret itself: none is stored for this sender and destination'
const first = 'Canary password "one" é'
const second = 'canary password two'
const authToken = 'canary-auth-token-of-twilio'
const webhook = newWebhookSecret()
const secrets: Secrets = new Map(Object.entries({ first, second, authToken, webhook }))

const delivery = {
  email: [
    { type: 'smtp', name: 'main', host: 'smtp.example.com', port: 587, user: 'apikey', password: first },
    { type: 'smtp', name: 'spare', host: 'smtp.example.org', port: 465, user: 'apikey', password: second },
  ],
  sms: [
    { type: 'twilio', name: 'twilio', accountSid: `AC${'a'.repeat(32)}`, authToken, from: '+15005550006' },
    { type: 'http', name: 'gateway', url: 'https://sms.example.com/send', secret: webhook },
  ],
}
const masked = {
  email: delivery.email.map((sender) => ({ ...sender, password: maskedSecret })),
  sms: [
    { ...delivery.sms[0], authToken: maskedSecret },
    { ...delivery.sms[1], secret: maskedSecret },
  ],
  smsDailyBudget: 500,
}

let service: TestService
before(async () => {
  service = await startSendingService([])
})
after(() => service.close())

const addTenant = () => service.addTenant({ configuration: { delivery } })
const admin = () => ({ authorization: `Bearer ${service.adminKey}` })
const sealedOf = (tenantId: string) => {
  const { modules } = storedRow(service, 'SELECT modules FROM tenants WHERE id = ?', tenantId)
  return JSON.parse(String(modules)).$senderSecrets as Record<string, string>
}

test('returns masks in place of secrets from GET, PUT and PATCH', async () => {
  const { tenantId } = await addTenant()
  const path = `/admin/tenants/${tenantId}/configuration`
  const auth = { methods: ['password', 'otp'] }
  const answers = [
    await request(service, `GET ${path}`, { headers: admin() }),
    await request(service, `PUT ${path}`, { headers: admin(), body: { auth, otp: {}, delivery } }),
    await request(service, `PATCH ${path}`, { headers: admin(), body: { delivery } }),
    await request(service, `PATCH ${path}`, { headers: admin(), body: { own: { a: 1 } } }),
  ]
  for (const { status, body, text } of answers) {
    assert.equal(status, 200, text)
    assert.deepEqual(body.data.delivery, masked)
    assert.deepEqual(
      Object.keys(body.data).filter((key) => key.startsWith('$')),
      [],
    )
    for (const secret of secrets.values()) assert.ok(!text.includes(JSON.stringify(secret).slice(1, -1)))
    for (const sealed of Object.values(sealedOf(tenantId))) assert.ok(!text.includes(sealed))
  }
})

test('returns no delivery settings in the client’s configuration', async () => {
  const { key } = await addTenant()
  const { text, body } = await request(service, 'GET /tenant-configuration', { key })
  assert.deepEqual(Object.keys(body).sort(), ['auth', 'otp', 'profileSchema'])
  assert.doesNotMatch(text, /delivery|smtp|twilio|sealed|\$sender|••/i)
})

test('keeps secrets when masked senders are sent back in another order and with changes', async () => {
  const { tenantId } = await addTenant()
  const sealed = sealedOf(tenantId)
  const { delivery: shown } = await service.admin.readConfiguration({ tenantId })
  await service.admin.updateConfiguration({ tenantId }, { delivery: shown })
  assert.deepEqual(sealedOf(tenantId), sealed)
  const [main, spare] = masked.email
  const email = [spare, { ...main, port: 2525 }]
  const changed = await service.admin.updateConfiguration({ tenantId }, { delivery: { email } })
  assert.deepEqual(changed.delivery?.email, email)
  assert.deepEqual(sealedOf(tenantId), sealed)
  await service.admin.replaceConfiguration({ tenantId }, { otp: {}, ...changed } as never)
  assert.deepEqual(sealedOf(tenantId), sealed)
  await service.admin.updateConfiguration({ tenantId }, { security: { passwordBlocklist: true } })
  assert.deepEqual(sealedOf(tenantId), sealed)
})

test('deletes unused secrets from the database', async () => {
  const { tenantId } = await addTenant()
  const [main] = masked.email
  await service.admin.updateConfiguration({ tenantId }, { delivery: { email: [main], sms: null } })
  assert.deepEqual(Object.keys(sealedOf(tenantId)), ['email/smtp/main/apikey@smtp.example.com/password'])
  await service.admin.updateConfiguration({ tenantId }, { delivery: null })
  assert.equal(sealedOf(tenantId), undefined)
})

test('rejects a mask without a stored secret, and changes nothing', async () => {
  const { tenantId } = await addTenant()
  const [main] = masked.email
  const email = [main, { ...main, name: 'new' }]
  const [twilio] = masked.sms
  const renamed = [{ ...twilio, name: 'other' }]
  const refusal = { 'delivery.email.1.password': missing, 'delivery.sms.0.authToken': missing }
  await changesNothing(service, async () => {
    const patch = { delivery: { email, sms: renamed } }
    await invalid(service.admin.updateConfiguration({ tenantId }, patch), refusal)
    await invalid(service.admin.replaceConfiguration({ tenantId }, patch as never), refusal)
  })
  const other = await service.addTenant()
  await invalid(service.admin.updateConfiguration(other, { delivery: { email: [main] } }), {
    'delivery.email.0.password': missing,
  })
})

test('rejects writing and removing the encrypted secrets', async () => {
  const { tenantId } = await addTenant()
  await changesNothing(service, async () => {
    for (const $senderSecrets of [{ 'email/smtp/main/password': 'mine' }, {}]) {
      const path = `/admin/tenants/${tenantId}/configuration`
      for (const method of ['PUT', 'PATCH']) {
        const answer = await request(service, `${method} ${path}`, { headers: admin(), body: { $senderSecrets } })
        assert.equal(answer.status, 400)
      }
    }
  })
  const sealed = sealedOf(tenantId)
  await request(service, `PATCH /admin/tenants/${tenantId}/configuration`, {
    headers: admin(),
    body: { $senderSecrets: null },
  })
  assert.deepEqual(sealedOf(tenantId), sealed)
})

test('sends with the secret that was kept', async () => {
  const credentials = { user: 'apikey', password: 'kept over three changes' }
  const [wrong, peer] = [await startTenantSmtp({ hangAt: 'banner' }), await startTenantSmtp({ credentials })]
  const from = { address: 'hello@example.com' }
  const { tenantId, client } = await service.addTenant({
    configuration: { delivery: { email: [smtpSettings(wrong, { name: 'mine', ...credentials })], from } },
  })
  const email = [smtpSettings(peer, { name: 'mine', user: 'apikey', password: maskedSecret })]
  await service.admin.updateConfiguration({ tenantId }, { delivery: { email } })
  await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.org' })
  await drain(service)
  assert.deepEqual(
    peer.received.map(({ user }) => user),
    ['apikey'],
  )
})

test('sends through the stored sender after a failover that lost the one with the same revision', async () => {
  const [lost, kept] = [await startTenantSmtp(), await startTenantSmtp()]
  const from = { address: 'hello@example.com' }
  const { tenantId, client } = await service.addTenant({
    configuration: { delivery: { email: [smtpSettings(lost)], from } },
  })
  const send = async () => {
    await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.org' })
    await drain(service)
  }
  await send()
  const { modules } = storedRow(service, 'SELECT modules FROM tenants WHERE id = ?', tenantId)
  const changed = String(modules).replace(`"port":${lost.port}`, `"port":${kept.port}`)
  const change = 'UPDATE tenants SET modules = ?, updated_at = updated_at + 1 WHERE id = ?'
  await writeStored(service, change, changed, tenantId)
  await send()
  assert.deepEqual([lost.received.length, kept.received.length], [1, 1])
})

test('rejects invalid templates by dotted path', async () => {
  const { tenantId } = await service.addTenant()
  const templates = {
    otp_signin: {
      email: {
        de: { subject: '{% for a in b %}{% endfor %}', text: '{{ code }}', html: '{{ code | raw }}' },
        fr: { subject: 'ok', text: 'no code' },
      },
      sms: { en: { text: '{{ password }} {{ code }}' } },
    },
    password_changed: { email: { en: { subject: '{{ code }}', text: 'ok' } } },
  }
  const answer = await request(service, `PATCH /admin/tenants/${tenantId}/configuration`, {
    headers: admin(),
    body: { delivery: { templates } },
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(Object.keys(answer.body.error.validation).sort(), [
    'delivery.templates.otp_signin.email.de.html',
    'delivery.templates.otp_signin.email.de.subject',
    'delivery.templates.otp_signin.email.fr.text',
    'delivery.templates.otp_signin.sms.en.text',
    'delivery.templates.password_changed.email.en.subject',
  ])
  assert.equal((await service.admin.readConfiguration({ tenantId })).delivery, undefined)
})

test('rejects invalid sender settings by field, without their values', async () => {
  const { tenantId } = await service.addTenant()
  const sms = [{ type: 'http', url: 'https://user:canary@sms.example.com', secret: 'canary' }]
  const email = [{ type: 'smtp', host: 'smtp.example.com:587', user: 'only', port: 0 }]
  const answer = await request(service, `PATCH /admin/tenants/${tenantId}/configuration`, {
    headers: admin(),
    body: { delivery: { email, sms } },
  })
  assert.equal(answer.status, 400)
  const fields = Object.keys(answer.body.error.validation).sort()
  assert.deepEqual(
    fields.filter((field) => field.startsWith('delivery.sms')),
    ['delivery.sms.0.secret', 'delivery.sms.0.url'],
  )
  assert.ok(fields.includes('delivery.email.0.host') && fields.includes('delivery.email.0.port'))
  assert.doesNotMatch(answer.text, /canary/)
})

test('stores and logs no sender secret in plain text', async () => {
  // The secrets are also used: the gateway refuses and echoes the request.
  const echo = await startGateway(({ body, headers }) => ({ status: 401, body: body + JSON.stringify(headers) }))
  const { client } = await service.addTenant({
    configuration: { delivery: { sms: [{ type: 'http', url: echo.url, secret: webhook }] } },
  })
  await client.issueOtp({ scope: 'otp_signin', phone: '+33612345678' })
  await drain(service)
  assert.equal(echo.requests.length, 1)
  await addTenant()
  assert.deepEqual(findLeaks(service, secrets, []), [])
  service.service.services.logger.trace({ planted: first }, 'planted')
  assert.deepEqual(findLeaks(service, secrets, []), [{ secret: 'first', place: 'log' }])
  removePlanted(service)
})
