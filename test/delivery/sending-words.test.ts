import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ReadMail, readMail } from '../support/delivery/received-mail.ts'
import { deploymentTwilio, startMailServer, startTwilio } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, startSendingService } from '../support/delivery/sending-service.ts'
import { request } from '../support/http/raw-request.ts'
import type { HttpPeer } from '../support/peers/http-peer.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { addPerson } from '../support/person.ts'
import type { TestService, TestTenant } from '../support/service.ts'

const scope = 'otp_signin'

let mail: SmtpPeer
let twilio: HttpPeer
let service: TestService
let people = 0

before(async () => {
  mail = await startMailServer()
  twilio = await startTwilio()
  service = await startSendingService([deploymentSmtp(mail), deploymentTwilio(twilio)])
})
after(() => service.close())

/** The message delivered for a request with these parameters. */
async function mailFor({ key }: TestTenant, locale?: string, acceptLanguage?: string): Promise<ReadMail> {
  const email = `reader-${++people}@example.org`
  const headers: Record<string, string> = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage }
  const answer = await request(service, 'POST /otp', { key, headers, body: { scope, email, locale } })
  assert.equal(answer.status, 201, answer.text)
  await drain(service)
  const [received, ...more] = mail.received.filter(({ to }) => to[0] === email)
  assert.ok(received !== undefined && more.length === 0)
  return readMail(received)
}

async function smsFor({ client }: TestTenant, locale?: string): Promise<string> {
  const phone = `+3361234${String(8000 + ++people)}`
  await client.issueOtp({ scope, phone, ...(locale !== undefined && { locale }) })
  await drain(service)
  const forms = twilio.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  return forms.find(({ To }) => To === phone)!['Body']!
}

const addTenant = (delivery: object) => service.addTenant({ configuration: { delivery } })

test('uses the language of the request, the browser or the tenant, or English', async () => {
  const plain = await service.addTenant()
  const french = await addTenant({ defaultLocale: 'fr' })
  const languageOf = async (...asked: Parameters<typeof mailFor>) =>
    /<html lang="([^"]+)"/.exec((await mailFor(...asked)).html)?.[1]
  assert.equal(await languageOf(french, 'ja', 'de'), 'ja')
  assert.equal(await languageOf(french, undefined, 'xx, de-AT;q=0.9, es;q=0.1'), 'de')
  assert.equal(await languageOf(french, undefined, 'xx'), 'fr')
  assert.equal(await languageOf(french), 'fr')
  assert.equal(await languageOf(plain), 'en')
  assert.equal(await languageOf(plain, 'vi-VN'), 'vi')
})

test('delivers text of any script unchanged by e-mail and SMS', async () => {
  const { tenantId, ...rest } = await service.addTenant()
  const name = 'Żółw 株式会社 & <b>Söhne</b>'
  await service.admin.updateTenant({ tenantId }, { name })
  const { subject, text, html, code } = await mailFor({ tenantId, ...rest }, 'ja')
  assert.ok(subject.includes(name) && text.includes(name))
  assert.ok(!html.includes('<b>Söhne') && html.includes('&lt;b&gt;Söhne&lt;/b&gt;'))
  assert.ok(html.includes(code!))
  assert.ok((await smsFor({ tenantId, ...rest }, 'ja')).includes('Żółw 株式会社'))
})

const own = {
  templates: {
    otp_signin: {
      email: {
        de: { subject: 'Hallo von {{ tenant }}', text: 'Ihr Code:\n\n{{ code }}\n\n{{ minutes }} Minuten' },
        fr: { subject: 'Salut', text: '{{ code }}', html: '<h1>{{ code }}</h1><p>{{ tenant }}</p>' },
      },
      sms: { de: { text: 'Code {{ code }} von {{ tenant }}' } },
    },
    password_changed: { email: { en: { subject: 'Changed', text: 'Changed for {{ recipient }}' } } },
  },
  webOtpDomain: 'app.example.com',
}

test('uses a tenant’s texts in their languages and built-in texts in others', async () => {
  const tenant = await addTenant(own)
  const german = await mailFor(tenant, 'de-CH')
  assert.equal(german.subject, 'Hallo von Test tenant')
  assert.match(german.text, /^Ihr Code:\n\n\d{6}\n\n10 Minuten/)
  assert.ok(german.html.includes(german.code!), 'the built-in HTML layout is used')
  const french = await mailFor(tenant, 'fr')
  assert.equal(french.html.trim(), `<h1>${french.code}</h1><p>Test tenant</p>`)
  assert.equal((await mailFor(tenant, 'es')).subject, 'Su código para iniciar sesión en Test tenant')
  const [line, , last] = (await smsFor(tenant, 'de')).split('\n')
  const code = /\d{6}/.exec(line!)![0]
  assert.deepEqual([line, last], [`Code ${code} von Test tenant`, `@app.example.com #${code}`])
  assert.match(await smsFor(tenant, 'en'), /is your sign-in code[\s\S]+\n@app\.example\.com #\d{6}$/)
})

test('uses the tenant’s text for the notice of a changed password', async () => {
  const tenant = await addTenant(own)
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await drain(service)
  const arrived = () => mail.received.filter(({ to }) => to[0] === person.email).map(readMail)
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: arrived()[0]!.code! })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
  await drain(service)
  const notice = arrived()[1]!
  assert.equal(notice.subject, 'Changed')
  assert.match(notice.text, /^Changed for p\*+/)
})

test('sends the built-in text and logs a warning when a tenant’s template fails', async () => {
  // Valid for its language but empty for a region of it, which no check with samples can detect.
  const text = '{% if locale == "de" %}Code {{ code }}{% endif %}'
  const tenant = await addTenant({ templates: { otp_signin: { email: { de: { subject: 'Eigener', text } } } } })
  assert.equal((await mailFor(tenant, 'de')).subject, 'Eigener')
  const warnings = () => service.log.filter((line) => line.includes('tenant template failed'))
  assert.deepEqual(warnings(), [])
  const { subject, code } = await mailFor(tenant, 'de-AT')
  assert.equal(subject, 'Ihr Anmeldecode für Test tenant')
  assert.match(code!, /^\d{6}$/)
  const [line, ...more] = warnings()
  assert.ok(line !== undefined && more.length === 0)
  const { tenantId, scope: of, locale } = JSON.parse(line)
  assert.deepEqual([tenantId, of, locale], [tenant.tenantId, scope, 'de'])
  assert.ok(!line.includes(code!))
})

test('ignores request headers in messages', async () => {
  const tenant = await service.addTenant()
  const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=http' }
  const email = 'victim@example.org'
  await request(service, 'POST /otp', { key: tenant.key, headers: host, body: { scope, email } })
  await drain(service)
  const [received] = mail.received.filter(({ to }) => to[0] === email)
  assert.ok(!received!.raw.includes('evil'))
  const { text, code } = readMail(received!)
  const plain = await mailFor(tenant)
  assert.equal(text.replace(code!, ''), plain.text.replace(plain.code!, ''))
})
