import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Provider } from '../../server/delivery/provider.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import {
  deploymentTwilio,
  smtpSettings,
  startMailServer,
  startTenantSmtp,
  startTwilio,
} from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import type { SmtpPeer, SmtpPeerOptions, SmtpStep } from '../support/peers/smtp-peer.ts'

const scope = 'otp_signin'
const email = 'jane@example.org'
const noCode = /\b\d{6}\b/

let good: SmtpPeer
before(async () => {
  good = await startMailServer()
})

/** A mail server with this fault, first in the deployment's list, and optionally another without it. */
async function startFailing(behaviour: SmtpPeerOptions, { second = false, name = 'first' } = {}) {
  const peer = await startMailServer(behaviour)
  // Short only for a server that never answers: on a busy machine, others answer later, too.
  const timeouts = behaviour.hangAt === undefined ? {} : { greetingMs: 150, silenceMs: 300 }
  const senders: Provider[] = [deploymentSmtp(peer, { name, timeouts })]
  if (second) senders.push(deploymentSmtp(good, { name: 'second' }))
  const service = await startSendingService(senders)
  const { client } = await service.addTenant()
  return {
    ...{ peer, service, client },
    async issue() {
      const { id, expiresAt } = await client.issueOtp({ scope, email })
      await drain(service)
      return { id, expiresAt: Date.parse(expiresAt), message: () => messageOf(service, id) }
    },
    async [Symbol.asyncDispose]() {
      await peer.close()
      await service.close()
    },
  }
}

const failures: Record<string, SmtpPeerOptions> = {
  'a 421 at RCPT': { refuse: { at: 'rcpt', code: 421 } },
  'a 550 at RCPT': { refuse: { at: 'rcpt', code: 550 } },
  'a 450 after DATA': { refuse: { at: 'data', code: 450 } },
  'no banner': { hangAt: 'banner' },
  'no answer after DATA': { hangAt: 'data' },
  'a connection cut at DATA': { dropAt: 'data' },
}

for (const [failure, behaviour] of Object.entries(failures)) {
  test(`sends the message through the second provider at once after ${failure}`, async () => {
    await using failing = await startFailing(behaviour, { second: true })
    const before = good.received.length
    const { id, message } = await failing.issue()
    const [mail, ...more] = good.received.slice(before).map(readMail)
    assert.ok(mail !== undefined && more.length === 0)
    const { state, sender, attempts, last_error } = message()
    assert.deepEqual([state, sender, attempts, last_error], ['sent', 'second', 1, null])
    for (const taken of failing.peer.received) assert.equal(readMail(taken).messageId, mail.messageId)
    await failing.client.verifyOtp({ id, scope, code: mail.code! })
  })
}

test('sends through the tenant’s second server what the first one rejects', async () => {
  const [first, second] = [await startTenantSmtp({ refuse: { at: 'rcpt', code: 550 } }), await startTenantSmtp()]
  await using service = await startSendingService([deploymentSmtp(good)])
  const delivery = {
    email: [smtpSettings(first, { name: 'cheap' }), smtpSettings(second, { name: 'dear' })],
    from: { address: 'hello@example.com' },
  }
  const { client } = await service.addTenant({ configuration: { delivery } })
  const { id } = await client.issueOtp({ scope, email })
  await drain(service)
  assert.deepEqual([first.received.length, second.received.length], [0, 1])
  assert.equal(messageOf(service, id)['sender'], 'dear')
})

test('fails immediately with the reasons when every provider rejects the message', async () => {
  const reply = (raw: string) => `5.7.1 refused: ${raw}`
  await using failing = await startFailing({ refuse: { at: 'data', code: 554, reply } })
  const { id, message } = await failing.issue()
  const { state, attempts, last_error, due_at } = message()
  assert.deepEqual([state, attempts, due_at], ['failed', 1, null])
  assert.match(String(last_error), /^first: 127\.0\.0\.1 refused the message: 554 5\.7\.1 refused: /)
  assert.doesNotMatch(String(last_error), noCode)
  assert.equal((await failing.client.getOtpStatus({ id, scope })).delivery, 'failed')
  const asked = failing.peer.connections()
  failing.service.clock.advance(300_000)
  await drain(failing.service)
  assert.equal(failing.peer.connections(), asked)
})

test('delivers the code of a failed message with a resend', async () => {
  const refuse: { at: SmtpStep; code: number } = { at: 'rcpt', code: 550 }
  await using failing = await startFailing({ refuse })
  const { id, message } = await failing.issue()
  assert.equal(message()['state'], 'failed')
  refuse.at = 'auth' // The service does not authenticate there, so everything is accepted from now on.
  failing.service.clock.advance(60_000)
  await failing.client.resendOtp({ id, scope })
  await drain(failing.service)
  assert.equal(message()['state'], 'sent')
  const [mail] = failing.peer.received.map(readMail)
  await failing.client.verifyOtp({ id, scope, code: mail!.code! })
})

test('retries the same message with backoff while a server defers it, until the code expires', async () => {
  await using failing = await startFailing({ refuse: { at: 'data', code: 450 } })
  const { expiresAt, message } = await failing.issue()
  const { clock } = failing.service
  const waits: number[] = []
  while (message()['state'] === 'queued') {
    const due = Number(message()['due_at'])
    waits.push(due - clock.now())
    assert.ok(due < expiresAt)
    clock.set(due)
    await drain(failing.service)
  }
  const { state, last_error, attempts } = message()
  assert.equal(state, 'failed')
  assert.match(String(last_error), /^No attempt succeeded before it expired: first: .+/)
  assert.doesNotMatch(String(last_error), noCode)
  assert.ok(Number(attempts) > 5 && waits[0]! < 2_000 && waits[3]! > waits[0]!)
  assert.ok(expiresAt - clock.now() < 400_000)
  const asked = failing.peer.connections()
  clock.set(expiresAt + 1)
  await drain(failing.service)
  assert.equal(failing.peer.connections(), asked)
})

test('uses one Message-ID and one code for all attempts', async () => {
  const raws: string[] = []
  const reply = (raw: string) => {
    raws.push(raw)
    return 'later, please'
  }
  const behaviour = { refuse: { at: 'data', code: 451, reply } }
  await using failing = await startFailing(behaviour as SmtpPeerOptions)
  const { message } = await failing.issue()
  for (let attempt = 2; attempt <= 3; attempt++) {
    failing.service.clock.set(Number(message()['due_at']))
    await drain(failing.service)
  }
  assert.equal(raws.length, 3)
  assert.equal(new Set(raws).size, 1, 'the attempts differ')
  assert.match(raws[0]!, new RegExp(`^Message-ID: <${message()['id']}@example\\.com>`, 'm'))
})

const twilioAnswers: readonly [status: number, state: string, words: RegExp, code?: number][] = [
  [400, 'failed', /^twilio: Twilio refused the message \(400\): code 21211: Invalid/],
  [400, 'queued', /^twilio: Twilio could not send from this number or name now \(400\): code 21611: Invalid/, 21611],
  [429, 'queued', /^twilio: Twilio could not take the message now \(429\)/],
  [500, 'queued', /^twilio: Twilio could not take the message now \(500\)/],
  [401, 'queued', /^twilio: Twilio did not accept our credentials \(401\): check the settings of this sender$/],
]
for (const [status, state, words, code = 21211] of twilioAnswers) {
  test(`stores a message as ${state} with a readable reason when Twilio answers ${status} with code ${code}`, async () => {
    const body = JSON.stringify({ code, message: 'Invalid number' })
    const twilio = await startTwilio({ status, body, headers: { 'retry-after': '90' } })
    await using service = await startSendingService([deploymentTwilio(twilio)])
    const { client } = await service.addTenant()
    const { id } = await client.issueOtp({ scope, phone: '+33612345678' })
    await drain(service)
    const { state: now, last_error, due_at } = messageOf(service, id)
    assert.equal(now, state)
    assert.match(String(last_error), words)
    if (status === 429) assert.equal(Number(due_at) - service.clock.now(), 90_000, 'not the requested delay')
  })
}

for (const reply of ['hang', 'cut'] as const) {
  test(`sends the message through the second account when Twilio does not answer (${reply})`, async () => {
    const [first, second] = [await startTwilio(reply), await startTwilio()]
    const senders = [deploymentTwilio(first, { name: 'first', timeoutMs: 1_000 }), deploymentTwilio(second)]
    await using service = await startSendingService(senders)
    const { client } = await service.addTenant()
    const { id } = await client.issueOtp({ scope, phone: '+33612345678' })
    await drain(service)
    assert.equal(messageOf(service, id)['sender'], 'twilio')
    assert.deepEqual([first.requests.length, second.requests.length], [1, 1])
  })
}

test('counts the delay that a provider asks for from its answer, not from the begin of the attempt', async () => {
  let service: Awaited<ReturnType<typeof startSendingService>> | undefined
  const twilio = await startTwilio(() => {
    service!.clock.advance(4_000)
    return { status: 429, headers: { 'retry-after': '90' } }
  })
  await using started = await startSendingService([deploymentTwilio(twilio)])
  service = started
  const { client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope, phone: '+33612345678' })
  await drain(service)
  assert.equal(Number(messageOf(service, id)['due_at']) - service.clock.now(), 90_000)
})

test('sends a code in time although the provider asks for a longer delay than the code is valid (DELIVERY-4)', async () => {
  const reply = { status: 429, headers: { 'retry-after': '3600' } }
  const twilio = await startTwilio(() => reply)
  await using service = await startSendingService([deploymentTwilio(twilio)])
  const { client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope, phone: '+33612345678' })
  await drain(service)
  const { state, due_at } = messageOf(service, id)
  assert.equal(state, 'queued')
  assert.ok(Number(due_at) - service.clock.now() < 2_000)
  reply.status = 201
  service.clock.set(Number(due_at))
  await drain(service)
  assert.equal(messageOf(service, id)['state'], 'sent')
})
