import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { findLeaks, type Secrets } from '../support/attacks/leak-scan.ts'
import { storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import {
  deploymentTwilio,
  httpSettings,
  smtpSettings,
  startGateway,
  startTenantSmtp,
} from '../support/delivery/sending.ts'
import { drain, startSendingService } from '../support/delivery/sending-service.ts'
import { request } from '../support/http/raw-request.ts'
import type { HttpPeer } from '../support/peers/http-peer.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import type { TestService, TestTenant } from '../support/service.ts'

/** The codes of one test, of ten digits each, which do not occur by chance. */
const codes: Secrets = new Map()
/** Answers of the service, with their headers. */
const answers: string[] = []
let service: TestService
let twilioStatus = 0

before(async () => {
  const twilio = await startEcho(
    () => twilioStatus,
    (body) => new URLSearchParams(body).get('Body'),
  )
  service = await startSendingService([deploymentTwilio(twilio)])
})
beforeEach(() => codes.clear())
after(() => service.close())

const spellings: Record<string, (text: string) => string> = {
  unchanged: (text) => text.replace(/\s+/g, ' '),
  'with spaces in its numbers': (text) =>
    text.replace(/\s+/g, ' ').replace(/\d{10}/g, (digits) => [...digits].join(' ')),
  'with hyphens in its numbers': (text) => text.replace(/(\d{5})(\d{5})/g, '$1-$2').replace(/\s+/g, ' '),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'as text without headers': (text) => readMail({ raw: text, to: [] }).text.replace(/\s+/g, ' '),
}

function note(code: string | null | undefined): void {
  assert.match(code ?? '', /^\d{10}$/)
  codes.set(`code ${codes.size}`, code!)
}

/** A mail server that quotes every message in its refusal. */
function startRefusing(code: number, spell: (text: string) => string): Promise<SmtpPeer> {
  const reply = (raw: string) => {
    note(readMail({ raw, to: [] }).code)
    return `5.7.1 not wanted: ${spell(raw)}`
  }
  return startTenantSmtp({ refuse: { at: 'data', code, reply } as const })
}

/** A gateway that echoes the request in body and headers. */
function startEcho(status: () => number, textOf: (body: string) => string | null): Promise<HttpPeer> {
  return startGateway(({ body, headers }) => {
    const text = textOf(body)
    note(/\d{10}/.exec(text ?? '')?.[0])
    const quoted = encodeURIComponent(text ?? '')
    return {
      status: status(),
      body: JSON.stringify({ code: 21610, message: `${text} ${body}`, detail: headers }),
      headers: { 'x-echo': quoted, location: `/?${quoted}`, 'retry-after': '1' },
    }
  })
}

const addTenant = (delivery: object) =>
  service.addTenant({ configuration: { otp: { length: 10, resendIntervalSeconds: 0 }, delivery } })

/** Issues a code and resends it; keeps all answers. */
async function use({ key, tenantId }: TestTenant, to: object): Promise<void> {
  const scope = 'otp_signin'
  const headers = { authorization: `Bearer ${service.adminKey}` }
  const ask = async (line: string, body?: object) => {
    const answer = await request(service, line, body === undefined ? { headers } : { key, body })
    answers.push(answer.text + JSON.stringify([...answer.headers]))
    return answer.body
  }
  const before = codes.size
  const { id } = (await ask('POST /otp', { scope, ...to })).data
  await drain(service)
  await ask('POST /otp/resend', { id, scope })
  for (let tries = 0; tries < 3; tries++) {
    await drain(service)
    service.clock.advance(10_000)
  }
  await ask('POST /otp/status', { id, scope })
  await ask(`GET /admin/tenants/${tenantId}/messages`)
  assert.ok(codes.size > before, 'the code was not sent')
}

const lastErrors = ({ tenantId }: TestTenant): string[] =>
  storedRows(service, 'SELECT last_error FROM outbox WHERE tenant_id = ? ORDER BY id', tenantId).map((row) =>
    String(row['last_error']),
  )

test('finds a planted code in each of the places', async () => {
  await using planted = await startSendingService([])
  await planted.addTenant()
  const code = '8301946275'
  const texts: string[] = []
  const places = () => findLeaks(planted, new Map([['code', code]]), texts).map(({ place }) => place)
  assert.deepEqual(places(), [])
  planted.service.services.logger.warn({ problem: `554 ${code} is your code` }, 'planted')
  assert.deepEqual(places(), ['log'])
  texts.push(`{"lastError":"554 ${code}"}`)
  assert.deepEqual(places(), ['log', 'error bodies'])
  await writeStored(planted, 'UPDATE tenants SET name = ?', Buffer.from(code).toString('base64'))
  assert.ok(places().some((place) => place.startsWith('database')))
})

for (const [how, spell] of Object.entries(spellings)) {
  test(`keeps codes out of errors when mail servers repeat the message in their refusal, ${how}`, async () => {
    // One after another: turning the clock for one must not end the lease of a message of another.
    for (const code of sampleOf([421, 450, 552, 554])) {
      const from = { address: 'hello@example.com' }
      const tenant = await addTenant({ email: [smtpSettings(await startRefusing(code, spell))], from })
      await use(tenant, { email: 'mike@example.org' })
      for (const error of lastErrors(tenant))
        assert.match(error, new RegExp(`^smtp: localhost .+: ${code} 5\\.7\\.1|circuit open`))
    }
    assertNoCodes()
  })
}

test('keeps codes out of errors when gateways and Twilio echo the request', async () => {
  for (const status of sampleOf([302, 400, 401, 404, 422, 429, 500, 503])) {
    const gateway = await startEcho(
      () => status,
      (body) => JSON.parse(body).text,
    )
    const own = await addTenant({ sms: [httpSettings(gateway)], email: [httpSettings(gateway)] })
    const plain = await addTenant({})
    // Long after the last failure, and with a success since, every circuit is closed.
    service.clock.advance(600_000)
    twilioStatus = 201
    await use(plain, { phone: '+33612345678' })
    twilioStatus = status
    await use(plain, { phone: '+33612345679' })
    await use(own, { phone: '+33612345678' })
    await use(own, { email: 'mike@example.org' })
    const errors = [...lastErrors(own), ...lastErrors(plain)].filter((error) => error !== 'null')
    assert.ok(errors.length >= 4)
    for (const error of errors) assert.match(error, new RegExp(`${status}|circuit open`))
  }
  assertNoCodes()
})

/** The code is in no output of the service, and in no error with other characters between its digits. */
function assertNoCodes(): void {
  assert.deepEqual(findLeaks(service, codes, answers), [])
  const rows = storedRows(service, 'SELECT last_error FROM outbox ORDER BY id')
  const digits = rows.map((row) => String(row['last_error']).replace(/\D/g, ''))
  for (const code of codes.values()) assert.ok(!digits.some((text) => text.includes(code)))
}
