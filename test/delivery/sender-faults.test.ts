import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpSettings, startMailServer, startTenantSmtp } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import { selfSignedCertificate } from '../support/peers/certificate.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { addPerson } from '../support/person.ts'
import type { TestService, TestTenant } from '../support/service.ts'

/** Faults of a mail server. */
const faults: Record<string, () => Promise<SmtpPeer>> = {
  'greets after ten seconds or never': () => startTenantSmtp({ hangAt: 'banner' }),
  'hangs after DATA': () => startTenantSmtp({ hangAt: 'data' }),
  'has an untrusted certificate': () => startMailServer({ certificate: selfSignedCertificate('localhost') }),
  'does not support TLS': () => startMailServer(),
  'answers 421': () => startTenantSmtp({ refuse: { at: 'banner', code: 421 } }),
  'answers 450': () => startTenantSmtp({ refuse: { at: 'rcpt', code: 450 } }),
  'answers 550': () => startTenantSmtp({ refuse: { at: 'rcpt', code: 550 } }),
  'refuses connections': async () => {
    const peer = await startTenantSmtp()
    await peer.close()
    return peer
  },
}

async function startWith(peer: SmtpPeer): Promise<{ service: TestService; tenant: TestTenant }> {
  const service = await startSendingService([])
  const delivery = { email: [smtpSettings(peer)], from: { address: 'hello@example.com' } }
  return { service, tenant: await service.addTenant({ configuration: { delivery } }) }
}

/** The median time of challenges, in milliseconds. */
async function challengeTime(service: TestService, tenant: TestTenant): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 9; round++) {
    const person = await addPerson(service, tenant)
    const begun = performance.now()
    await tenant.client.resetPassword({ step: 'challenge', email: person.email })
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)[4]!
}

test('responds to a challenge with 201 in the same time for every fault of the mail server', async (t) => {
  const sound = await startTenantSmtp()
  const { service, tenant } = await startWith(sound)
  const usual = await challengeTime(service, tenant)
  await service.close()
  const lines: string[] = []
  for (const [fault, start] of Object.entries(faults)) {
    const peer = await start()
    const faulty = await startWith(peer)
    const time = await challengeTime(faulty.service, faulty.tenant)
    lines.push(`${fault}: ${time.toFixed(1)} ms`)
    assert.ok(time < 3 * usual + 100, `${fault}: ${time.toFixed(1)} ms, ${usual.toFixed(1)} ms without a fault`)
    await peer.close()
    await faulty.service.close()
  }
  t.diagnostic(`without a fault: ${usual.toFixed(1)} ms; ${lines.join('; ')}`)
})

for (const [fault, words] of [
  ['has an untrusted certificate', /localhost has a certificate that is not trusted/],
  ['does not support TLS', /localhost does not offer STARTTLS/],
  ['refuses connections', /localhost refused the connection/],
] as const) {
  test(`sends nothing in plaintext to a tenant’s mail server that ${fault}, and reports the reason to the operator`, async () => {
    const peer = await faults[fault]!()
    const { service, tenant } = await startWith(peer)
    const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.org' })
    await drain(service)
    const { state, last_error } = messageOf(service, id)
    assert.equal(state, 'queued')
    assert.match(String(last_error), words)
    assert.deepEqual(peer.received, [])
    await peer.close()
    await service.close()
  })
}

test('sends waiting messages when an open circuit closes', async () => {
  const refuse: { at: 'mail' | 'auth'; code: number } = { at: 'mail', code: 421 }
  const peer = await startMailServer({ refuse })
  await using service = await startSendingService([deploymentSmtp(peer)])
  const { client } = await service.addTenant()
  const issue = (person: number) => client.issueOtp({ scope: 'otp_signin', email: `waiting-${person}@example.org` })
  const issued = await Promise.all(Array.from({ length: 30 }, (_, person) => issue(person)))
  await drain(service)
  const asked = peer.connections()
  const late = await issue(30)
  await drain(service)
  assert.equal(peer.connections(), asked, 'contacted while its circuit was open')
  assert.match(
    String(messageOf(service, late.id)['last_error']),
    /^smtp: circuit open for 10 s; last error: 127\.0\.0\.1 .*421/,
  )
  refuse.at = 'auth' // The service does not authenticate there, so everything is accepted from now on.
  for (let seconds = 0; seconds < 60 && peer.received.length < 31; seconds += 5) {
    service.clock.advance(5_000)
    await drain(service)
  }
  const arrived = peer.received.flatMap(({ to }) => to)
  assert.deepEqual([arrived.length, new Set(arrived).size], [31, 31])
  for (const { id } of [...issued, late]) assert.equal(messageOf(service, id)['state'], 'sent')
})
