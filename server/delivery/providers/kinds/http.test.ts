import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { failureOf } from '../../../../test/support/peers/failed-sending.ts'
import { type HttpReply, startHttpPeer } from '../../../../test/support/peers/http-peer.ts'
import { talkingHttp } from '../../../../test/support/peers/http-talk.ts'
import {
  canaryCode,
  neverAborted,
  renderedEmail,
  renderedSms,
} from '../../../../test/support/peers/rendered-message.ts'
import { systemClock } from '../../../core/clock.ts'
import { createOutboundHttp } from '../outbound-http.ts'
import { createHttpProvider } from './http.ts'

const secret = `whsec_${Buffer.from('canary-secret-of-32-bytes-length').toString('base64')}`

/** A gateway that answers so, and a provider to it. */
const talking = (reply: HttpReply) =>
  talkingHttp(reply, (url, http) =>
    createHttpProvider({ name: 'http', method: 'sms', url: `${url}/canary-path`, secret, clock: systemClock }, http),
  )

test('posts JSON whose signature verifies, and fails for a modified body', async () => {
  await using talk = await talking({ status: 204 })
  await talk.provider.send(renderedSms(), neverAborted)
  const [request] = talk.peer.requests
  assert.ok(request !== undefined)
  const headers = request.headers as Record<string, string>
  assert.deepEqual(new Webhook(secret).verify(request.body, headers), {
    id: '01JD4Z8Q6W0000000000000000',
    tenantId: 'tnt_1',
    kind: 'otp',
    scope: 'otp_signin',
    method: 'sms',
    recipient: '+33612345678',
    locale: 'en',
    subject: null,
    text: `${canaryCode} is your code to sign in. It is valid for 10 min. Never share it.`,
    html: null,
    createdAt: '2026-11-21T08:00:00.000Z',
  })
  assert.equal(headers['webhook-id'], '01JD4Z8Q6W0000000000000000')
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.throws(() => new Webhook(secret).verify(request.body.replace('sms', 'SMS'), headers))
})

test('sends the same id and body on every attempt, signed with the time of the attempt', async () => {
  const peer = await startHttpPeer({ status: 200 })
  const http = createOutboundHttp({ allowPrivate: true })
  let now = 1_800_000_000_999
  const provider = createHttpProvider(
    { name: 'http', method: 'email', url: peer.url, secret, clock: { now: () => now } },
    http,
  )
  await provider.send(renderedEmail(), neverAborted)
  now += 60_000
  await provider.send(renderedEmail(), neverAborted)
  await peer.close()
  const [first, second] = peer.requests
  assert.equal(first?.body, second?.body)
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
  assert.deepEqual(
    [first, second].map((request) => request?.headers['webhook-timestamp']),
    ['1800000000', '1800000060'],
  )
  assert.notEqual(first?.headers['webhook-signature'], second?.headers['webhook-signature'])
})

test('treats 4xx as permanent; 401, 429, 5xx, redirects and timeouts as temporary', async () => {
  const no: HttpReply[] = [400, 404, 410, 413, 422].map((status) => ({ status, body: canaryCode }))
  const later: HttpReply[] = [301, 401, 403, 408, 425, 429, 500, 502, 503].map((status) => ({
    status,
    body: canaryCode,
  }))
  for (const [replies, name] of [
    [no, 'PermanentFailure'],
    [[...later, 'hang', 'cut'], 'TemporaryFailure'],
  ] as const) {
    for (const reply of replies as HttpReply[]) {
      await using talk = await talking(reply)
      const error = await failureOf(talk.provider.send(renderedSms(), neverAborted))
      assert.equal(error.name, name, JSON.stringify(reply))
      assert.match(error.message, /^127\.0\.0\.1 /)
      assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes(secret))
    }
  }
})
