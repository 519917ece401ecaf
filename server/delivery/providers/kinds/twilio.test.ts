import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from '../../../../test/support/peers/failed-sending.ts'
import type { HttpReply } from '../../../../test/support/peers/http-peer.ts'
import { talkingHttp } from '../../../../test/support/peers/http-talk.ts'
import { canaryCode, neverAborted, renderedSms } from '../../../../test/support/peers/rendered-message.ts'
import { type PermanentFailure, TemporaryFailure } from '../../provider.ts'
import { createTwilioProvider, parseTwilioEnvironment } from './twilio.ts'

const accountSid = `AC${'0123456789abcdef'.repeat(2)}`
const authToken = 'canary-auth-token'

/** A peer that plays Twilio, and a provider to it. */
function talking(
  reply: HttpReply,
  options: { from?: string; messagingServiceSid?: string } = { from: '+15005550006' },
) {
  return talkingHttp(reply, (baseUrl, http) =>
    createTwilioProvider({ name: 'twilio', accountSid, authToken, baseUrl, ...options }, http),
  )
}

/** How the peer's reply ends a sending. */
async function failure(reply: HttpReply): Promise<PermanentFailure | TemporaryFailure> {
  await using talk = await talking(reply)
  return await failureOf(talk.provider.send(renderedSms(), neverAborted))
}

const problem = (code: number, message: string) =>
  JSON.stringify({ code, message, more_info: 'https://…', status: 400 })

test("sends form, URL and credentials in Twilio's format", async () => {
  await using talk = await talking({ status: 201, body: '{"sid":"SM1","status":"queued"}' })
  await talk.provider.send(renderedSms({ text: 'Ünïcode & 100% + 1' }), neverAborted)
  const [request] = talk.peer.requests
  assert.equal(`${request?.method} ${request?.path}`, `POST /2010-04-01/Accounts/${accountSid}/Messages.json`)
  assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded')
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  assert.equal(request?.headers.authorization, `Basic ${basic}`)
  const form = Object.fromEntries(new URLSearchParams(request?.body))
  assert.deepEqual(form, { To: '+33612345678', From: '+15005550006', Body: 'Ünïcode & 100% + 1' })
})

test('uses a messaging service instead of a number', async () => {
  await using talk = await talking({ status: 201 }, { messagingServiceSid: 'MG1' })
  await talk.provider.send(renderedSms({ text: 'hello' }), neverAborted)
  const form = Object.fromEntries(new URLSearchParams(talk.peer.requests[0]?.body))
  assert.deepEqual(form, { To: '+33612345678', MessagingServiceSid: 'MG1', Body: 'hello' })
})

test("reports 400 as permanent with Twilio's code and message, without quotes of our message", async () => {
  const error = await failure({
    status: 400,
    body: problem(21211, `Invalid 'To' +33612345678: ${canaryCode} is your code`),
  })
  assert.equal(error.name, 'PermanentFailure')
  assert.equal(error.message, "Twilio refused the message (400): code 21211: Invalid 'To' •••: ••• is your code")
})

test('reports a refused number to send from as temporary, and not as a failure of the account', async () => {
  for (const code of [21212, 21606, 21611, 21659]) {
    const error = await failure({ status: 400, body: problem(code, "The 'From' phone number is not valid") })
    assert.ok(error instanceof TemporaryFailure, `${code}`)
    assert.equal(error.concerns, 'message')
    const reason = `Twilio could not send from this number or name now (400): code ${code}: The 'From' phone number is not valid`
    assert.equal(error.message, reason)
  }
})

test('reports 404 with a non-JSON body as permanent, with the status alone', async () => {
  const error = await failure({ status: 404, body: `<html>${canaryCode}</html>` })
  assert.deepEqual([error.name, error.message], ['PermanentFailure', 'Twilio refused the message (404)'])
})

test('reports 401 and 403 as temporary and refers to the settings, whatever the body says', async () => {
  for (const status of [401, 403]) {
    const error = await failure({ status, body: problem(20003, `Authenticate ${authToken}`) })
    assert.equal(error.name, 'TemporaryFailure')
    assert.equal(error.message, `Twilio did not accept our credentials (${status}): check the settings of this sender`)
  }
})

test('reports 429 as temporary with the time to wait', async () => {
  const error = await failure({
    status: 429,
    headers: { 'retry-after': '30' },
    body: problem(20429, 'Too Many Requests'),
  })
  assert.ok(error instanceof TemporaryFailure)
  assert.equal(error.retryAfterSeconds, 30)
  assert.equal(error.message, 'Twilio could not take the message now (429): code 20429: Too Many Requests')
})

test('reports 500, a redirect, a 100 KB response, a timeout and a closed connection as temporary', async () => {
  const replies: HttpReply[] = ['hang', 'cut', { status: 500 }, { status: 503, body: 'x'.repeat(100_000) }]
  for (const reply of [...replies, { status: 307, headers: { location: 'https://evil.example/' } }])
    assert.equal((await failure(reply)).name, 'TemporaryFailure')
})

test('accepts a 201 with a body of 100 KB, or with one that never ends', async () => {
  for (const reply of [{ status: 201, body: 'x'.repeat(100_000) }, { status: 201, drip: true } as const]) {
    await using talk = await talking(reply)
    await talk.provider.send(renderedSms(), neverAborted)
    assert.equal(talk.peer.requests.length, 1)
  }
})

test('sends nothing to a recipient that is not a phone number', async () => {
  await using talk = await talking({ status: 201 })
  for (const recipient of ['mike@example.org', '0612345678', '+33612345678\n', 'whatsapp:+33612345678', ''])
    await assert.rejects(talk.provider.send(renderedSms({ recipient }), neverAborted), { name: 'PermanentFailure' })
  assert.equal(talk.peer.connections(), 0)
})

test('requires all three settings of the environment, or none', () => {
  assert.equal(parseTwilioEnvironment({ accountSid: undefined, authToken: undefined, from: undefined }), null)
  assert.deepEqual(parseTwilioEnvironment({ accountSid, authToken, from: '+15005550006' }), {
    type: 'twilio',
    accountSid,
    authToken,
    from: '+15005550006',
  })
  const service = `MG${'0123456789abcdef'.repeat(2)}`
  assert.equal(parseTwilioEnvironment({ accountSid, authToken, from: service })?.messagingServiceSid, service)
  assert.throws(() => parseTwilioEnvironment({ accountSid, authToken: undefined, from: undefined }), {
    message:
      'TWILIO_AUTH_TOKEN and TWILIO_FROM: set all of TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or none',
  })
})

test('names the invalid setting without its value', () => {
  const given = { accountSid, authToken, from: '+15005550006' }
  for (const [changes, name] of [
    [{ accountSid: 'canary' }, 'TWILIO_ACCOUNT_SID'],
    [{ authToken: 'canary' }, 'TWILIO_AUTH_TOKEN'],
    [{ authToken: '••••' }, 'TWILIO_AUTH_TOKEN'],
    [{ from: 'canary-is-no-sender' }, 'TWILIO_FROM'],
  ] as const) {
    const isRight = ({ message }: Error) => message.startsWith(`${name}: Give `) && !message.includes('canary')
    assert.throws(() => parseTwilioEnvironment({ ...given, ...changes }), isRight)
  }
})
