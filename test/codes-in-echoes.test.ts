import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sender } from '../server/delivery/sender.ts'
import { startHttpPeer } from '../server/delivery/senders/test-peers/http-peer.ts'
import { type SmtpPeerOptions, startSmtpPeer } from '../server/delivery/senders/test-peers/smtp-peer.ts'
import { findLeaks, type Secrets } from './leak-scan.ts'
import { request } from './raw-request.ts'
import { deploymentSmtp, deploymentTwilio, drain, httpSettings, startSendingService } from './sending.ts'
import type { TestService, TestTenant } from './service.ts'
import { storedRows, writeStored } from './stored-rows.ts'

const scope = 'otp_signin'
const codes: Secrets = new Map()
const bodies: string[] = []
/** Every peer of one test, closed when it ends. */
let closing: (() => Promise<void>)[] = []
let service: TestService

const configuration = { otp: { length: 10, resendIntervalSeconds: 0 } }
const tenDigits = /(?<!\d)\d{10}(?!\d)/

/** Notes the code of whatever arrived anywhere. */
function note(text: string): string {
  const code = tenDigits.exec(text.replace(/^.*(?:Date|ID|Ref|boundary|To=|%2B).*$/gim, ''))?.[0]
  if (code !== undefined) codes.set(code, code)
  return text
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const spaced = (text: string) => text.replace(/\d{10}/g, (code) => [...code].join(' '))
const inBase64 = (text: string) => Buffer.from(text).toString('base64')

/** Mail servers that repeat the message in their refusal, each in another way. */
const mailServers: Record<string, SmtpPeerOptions> = Object.fromEntries(
  (['data'] as const).flatMap((at) =>
    [421, 450, 552, 554].flatMap((code) =>
      [oneLine, (raw: string) => spaced(oneLine(raw)), (raw: string) => oneLine(inBase64(raw))].map((spelled, way) => [
        `${code} at ${at}, spelling ${way}`,
        { refuse: { at, code, reply: (raw: string) => spelled(note(raw)) } },
      ]),
    ),
  ),
)

/** HTTP answers that repeat the request. */
const gateways = [200, 302, 400, 401, 404, 422, 429, 500, 503]

before(async () => {
  service = await startSendingService([])
})
after(() => service.close())

async function startEcho(status: number) {
  const peer = await startHttpPeer(({ body, headers }) => {
    const text = note(decodeURIComponent(body.replaceAll('+', ' ')))
    const said = JSON.stringify({ code: 21610, message: text, detail: headers })
    return { status, body: said, headers: { 'x-echo': encodeURIComponent(text), location: `/?${encodeURIComponent(text)}` } }
  })
  closing.push(() => peer.close())
  return peer
}

/** Asks for a code and again for the same, and keeps what was answered. */
async function use(on: TestService, tenant: TestTenant, body: object): Promise<void> {
  const issued = await request(on, 'POST /otp', { key: tenant.key, body: { scope, ...body } })
  assert.equal(issued.status, 201, issued.text)
  const { id } = issued.body.data ?? issued.body
  await drain(on)
  const status = await request(on, 'POST /otp/status', { key: tenant.key, body: { id, scope } })
  const resent = await request(on, 'POST /otp/resend', { key: tenant.key, body: { id, scope } })
  await drain(on)
  on.clock.advance(120_000)
  await drain(on)
  const headers = { authorization: `Bearer ${on.adminKey}` }
  const listed = await request(on, `GET /admin/tenants/${tenant.tenantId}/messages`, { headers })
  bodies.push(...[issued, status, resent, listed].map((answer) => answer.text + JSON.stringify([...answer.headers])))
}

const lastErrors = (on: TestService) =>
  storedRows(on, 'SELECT last_error FROM outbox').map((row) => String(row['last_error']))

/** No code anywhere; and as a check of the check: there were codes to find, and one that is planted is found. */
function assertNoCodes(on: TestService): void {
  assert.ok(codes.size > 0, 'codes went out')
  assert.deepEqual(findLeaks(on, codes, bodies), [])
  const errors = lastErrors(on).join('\n').replace(/\D+/g, ' ')
  const joined = errors.replaceAll(' ', '')
  for (const code of codes.values()) assert.ok(!joined.includes(code), 'not with anything between its digits either')
}

test('the scan finds a code that was planted in a log line, an answer, a last error and the file', async () => {
  await using planted = await startSendingService([])
  const code = '8301946275'
  const secrets: Secrets = new Map([['code', code]])
  const places = () => findLeaks(planted, secrets, bodies).map(({ place }) => place)
  assert.deepEqual(places(), [])
  planted.service.services.logger.warn({ problem: `554 ${code} is your code` }, 'planted')
  assert.deepEqual(places(), ['log'])
  bodies.push(`{"lastError":"${code}"}`)
  assert.deepEqual(places(), ['log', 'error bodies'])
  bodies.length = 0
  const { client } = await planted.addTenant({ configuration: { ...configuration, delivery: {} } })
  void client
  writeStored(planted, 'UPDATE tenants SET name = ?', inBase64(code))
  assert.ok(places().some((place) => place.startsWith('database')))
})

for (const [failure, behaviour] of Object.entries(mailServers)) {
  test(`a mail server that repeats the message (${failure}) puts no code anywhere`, async () => {
    codes.clear()
    const peer = await startSmtpPeer(behaviour)
    const on = await startSendingService([deploymentSmtp(peer)])
    const tenant = await on.addTenant({ configuration })
    await use(on, tenant, { email: 'mike@example.org' })
    assert.ok(lastErrors(on).some((error) => error.startsWith('smtp: 127.0.0.1 ')))
    assertNoCodes(on)
    await peer.close()
    await on.close()
  })
}
