import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { runTurns } from '../campaign/clock.ts'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { type TurnedClock, turnedClock } from '../campaign/shifted-clock.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import { newWebhookSecret, startGateway, startMailServer } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf } from '../support/delivery/sending-service.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import type { SmtpPeer, SmtpPeerOptions } from '../support/peers/smtp-peer.ts'
import { refused } from '../support/refused.ts'

const scope = 'otp_signin'
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const onThisMachine = testOnSqliteAlone('on PostgreSQL the time is that of the database')

let peer: SmtpPeer
before(async () => {
  peer = await startMailServer()
})

async function fixture(limitsText = 'all=off') {
  const clock = await turnedClock(() => [deploymentSmtp(peer)], { limitsText })
  const { key } = await clock.service.addTenant({ methods: ['password', 'otp', 'guest'] })
  const client = () => createTenantryClient({ baseUrl: clock.service.baseUrl, tenantKey: key })
  return { clock, client, [Symbol.asyncDispose]: () => clock[Symbol.asyncDispose]() }
}

const issue = ({ client }: Awaited<ReturnType<typeof fixture>>, email: string) => client().issueOtp({ scope, email })

async function codeFor({ service }: TurnedClock, email: string): Promise<string> {
  await drain(service)
  return peer.received.map(readMail).findLast(({ to }) => to[0] === email)!.code!
}

for (const [what, ms] of [
  ['an hour back', -hour],
  ['an hour ahead and back', null],
] as const) {
  const turn = (clock: TurnedClock) => {
    if (ms !== null) return clock.turn(ms)
    clock.turn(hour)
    clock.now()
    clock.turn(-hour)
  }

  test(`clock set ${what}: queued and new messages are sent`, async () => {
    const behaviour: { refuse?: SmtpPeerOptions['refuse'] } = { refuse: { at: 'rcpt', code: 450 } }
    const deferring = await startMailServer(behaviour as SmtpPeerOptions)
    await using clock = await turnedClock(() => [deploymentSmtp(deferring)])
    const { client } = await clock.service.addTenant()
    const queued = await client.issueOtp({ scope, email: 'queued@example.org' })
    await drain(clock.service)
    assert.equal(messageOf(clock.service, queued.id)['state'], 'queued')
    behaviour.refuse = { at: 'auth', code: 450 } // The peer requires no credentials, so it accepts everything.
    turn(clock)
    const fresh = await client.issueOtp({ scope, email: 'fresh@example.org' })
    await drain(clock.service)
    assert.equal(messageOf(clock.service, fresh.id)['state'], 'sent')
    clock.pass(2 * second)
    await drain(clock.service)
    // An hour ahead the code expires, and expired codes are not sent.
    const { state, last_error } = messageOf(clock.service, queued.id)
    if (ms === null && state !== 'sent') assert.match(String(last_error), /^Expired/)
    else assert.equal(state, 'sent')
  })

  test(`clock set ${what}: a used refresh token is still refused`, async () => {
    await using at = await fixture()
    const { refreshToken } = await at.client().signIn({ method: 'guest' })
    await at.client().refreshSession({ refreshToken })
    at.clock.pass(11 * second)
    turn(at.clock)
    await refused(at.client().refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
  })

  test(`clock set ${what}: a one-time password expires after its lifetime, and resends keep their interval`, async () => {
    await using at = await fixture()
    turn(at.clock)
    const email = `ends-${ms}@example.org`
    const [early, late] = [await issue(at, email), await issue(at, email)]
    const code = await codeFor(at.clock, email)
    await refused(at.client().resendOtp({ id: late.id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
    at.clock.pass(61 * second)
    await at.client().resendOtp({ id: late.id, scope })
    at.clock.pass(9 * minute + 6 * second)
    await refused(at.client().verifyOtp({ id: late.id, scope, code }), 'OTP_NOT_FOUND')
    await refused(at.client().resendOtp({ id: early.id, scope }), 'OTP_NOT_FOUND')
  })

  test(`clock set ${what}: a rate limit reports the actual wait, and ends after it`, async () => {
    await using at = await fixture('all=off,resend=2/h')
    const resend = () => at.client().resendOtp({ id: 'unknown', scope })
    for (let attempt = 0; attempt < 2; attempt++) await refused(resend(), 'OTP_NOT_FOUND')
    turn(at.clock)
    // If the service followed the clock ahead, the window is over.
    if (ms === null && !onPostgres) for (let more = 0; more < 2; more++) await refused(resend(), 'OTP_NOT_FOUND')
    const { retryAfter } = await refused(resend(), 'TOO_MANY_REQUESTS')
    assert.ok(retryAfter! > 3_590 && retryAfter! <= 3_600, `${retryAfter}`)
    at.clock.pass(1.011 * hour)
    await refused(resend(), 'OTP_NOT_FOUND')
  })
}

onThisMachine('clock set an hour ahead: a code that expires within that hour has expired', async () => {
  await using at = await fixture()
  const email = 'ahead@example.org'
  const { id } = await issue(at, email)
  const code = await codeFor(at.clock, email)
  at.clock.turn(hour)
  await refused(at.client().verifyOtp({ id, scope, code }), 'OTP_NOT_FOUND')
  at.clock.turn(-hour)
  await refused(at.client().verifyOtp({ id, scope, code }), 'OTP_NOT_FOUND')
})

for (const [seen, unseenMs] of [
  ['stored at shutdown', 0],
  ['could not store', null],
] as const) {
  onThisMachine(
    `after a restart with the clock set an hour back, time continues from the time that the last server ${seen}`,
    async () => {
      await using at = await fixture()
      const { refreshToken } = await at.client().signIn({ method: 'guest' })
      await at.client().refreshSession({ refreshToken })
      const expired = await issue(at, 'restarted@example.org')
      const code = await codeFor(at.clock, 'restarted@example.org')
      at.clock.pass(11 * minute)
      await issue(at, 'last@example.org')
      const before = at.clock.now()
      at.clock.turn(-hour)
      await at.clock.restart(unseenMs)
      assert.ok(at.clock.now() >= before)
      await refused(at.client().refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
      await refused(at.client().verifyOtp({ id: expired.id, scope, code }), 'OTP_NOT_FOUND')
      const fresh = await issue(at, 'after@example.org')
      await drain(at.clock.service)
      assert.equal(messageOf(at.clock.service, fresh.id)['state'], 'sent')
    },
  )
}

onThisMachine('random clock changes with restarts', async (t) => {
  const steps = recordSteps()
  const { turns, checks } = await runTurns(3, 20_261_122, steps.watch)
  steps.assertEach(3)
  t.diagnostic(`${turns} turns, ${checks} checks`)
})

onThisMachine('after a step back, signatures and ID tokens use the wall clock', async () => {
  const gateway = await startGateway({ status: 200 })
  const google = await startIdentityProvider('google')
  await using clock = await turnedClock(() => [], { identityProviders: google.settings })
  const delivery = { sms: [{ type: 'http', url: gateway.url, secret: newWebhookSecret() }] }
  const auth = { methods: ['otp', 'google'], google: { clientIds: [google.clientId] } }
  const { client } = await clock.service.addTenant({ configuration: { delivery, auth } })
  clock.now()
  clock.turn(-hour)
  google.clock = clock.wall
  await client.issueOtp({ scope, phone: '+33612345678' })
  await drain(clock.service)
  const seconds = () => Math.floor(clock.wall.now() / second)
  assert.equal(Number(gateway.requests[0]?.headers['webhook-timestamp']), seconds())
  // Valid for another half hour, but expired by the service's own clock.
  const idToken = await google.sign({ iat: seconds() - 60, exp: seconds() + 1_800 })
  assert.equal((await client.signIn({ method: 'google', idToken })).isNewUser, true)
  assert.ok(clock.now() > clock.wall.now() + 0.9 * hour)
  await google.close()
})
