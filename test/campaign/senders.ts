import assert from 'node:assert/strict'
import { readMail } from '../support/delivery/received-mail.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import { type SmtpPeer, type SmtpRefusal, startSmtpPeer } from '../support/peers/smtp-peer.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import type { CampaignOptions } from './campaign-options.ts'
import { unwatched, withProgress } from './progress.ts'
import { type Random, seededRandom } from './seeded-random.ts'

/** The totals of all rounds; times in seconds of the service's clock. */
interface SendersReport {
  readonly rounds: number
  /** Messages to recipients that the server accepts while it defers others: each was sent at once. */
  ordinary: number
  /** Messages to recipients that it deferred, and how often it did. */
  deferred: number
  deferrals: number
  /** The longest time from the end of an outage until the last ordinary message was sent. */
  longestRecovery: number
}

const outage: SmtpRefusal = { at: 'mail', code: 421, reply: () => '4.3.2 shutting down' }
const greylisted = (text: string) => text.includes('greylisted-')
/** The open time of a circuit that has opened once or twice, after which every message waits for its next attempt. */
const longestRecovery = 45

/**
 * A mail server defers some recipients (greylisting, full mailboxes) and is unavailable for a while. Checks that
 * other messages are sent at once, that the operator sees the server's reply, and that every message arrives once.
 */
export async function deferRecipients(rounds: number, seed: number, watch = unwatched): Promise<SendersReport> {
  const report = { rounds, ordinary: 0, deferred: 0, deferrals: 0, longestRecovery: 0 }
  for (let round = 0; round < rounds; round++) {
    try {
      await deferInOneRound(seededRandom(seed, 'senders', round), report)
      watch(round + 1, `${report.ordinary + report.deferred} messages checked`)
    } catch (error) {
      throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error })
    }
  }
  return report
}

async function deferInOneRound(random: Random, report: SendersReport): Promise<void> {
  const code = random.pick([450, 451, 452, 455])
  const deferral: SmtpRefusal = {
    ...{ at: random.pick(['rcpt', 'data'] as const), code, when: greylisted },
    reply() {
      report.deferrals++
      return '4.2.0 greylisted, try later'
    },
  }
  const behaviour = { refuse: deferral }
  const peer = await startSmtpPeer(behaviour)
  const service = await startSendingService([deploymentSmtp(peer)])
  try {
    const fixture = { service, peer, random, report, tenant: await service.addTenant(), issued: 0 }
    const deferred = await besideDeferrals(fixture, new RegExp(`^smtp: 127\\.0\\.0\\.1 .*${code} 4\\.2\\.0 greylisted`))
    behaviour.refuse = outage
    const waiting = await duringOutage(fixture)
    behaviour.refuse = deferral
    report.longestRecovery = Math.max(report.longestRecovery, await recovered(fixture, waiting))
    behaviour.refuse = { ...outage, at: 'auth' } // No credentials are required, so this accepts everything.
    await sentWithin(fixture, deferred, 90)
    assertEachOnce(fixture)
  } finally {
    await service.close()
    await peer.close()
  }
}

interface Fixture {
  readonly service: TestService
  readonly peer: SmtpPeer
  readonly random: Random
  readonly report: SendersReport
  readonly tenant: TestTenant
  issued: number
}

async function issue(fixture: Fixture, kind: 'greylisted' | 'ordinary'): Promise<string> {
  const email = `${kind}-${fixture.issued++}@example.org`
  return (await fixture.tenant.client.issueOtp({ scope: 'otp_signin', email })).id
}

/** @returns the one-time passwords whose messages are deferred */
async function besideDeferrals(fixture: Fixture, words: RegExp): Promise<string[]> {
  const { service, random, report } = fixture
  const kinds = [
    ...Array.from({ length: 6 + random.below(10) }, () => 'greylisted' as const),
    ...Array.from({ length: 10 + random.below(20) }, () => 'ordinary' as const),
  ]
  const issued = await Promise.all(
    random.shuffled(kinds).map(async (kind) => ({ kind, id: await issue(fixture, kind) })),
  )
  await drain(service)
  const idsOf = (wanted: string) => issued.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  const [ordinary, deferred] = [idsOf('ordinary'), idsOf('greylisted')]
  for (let second = 0; second < 20; second++) {
    service.clock.advance(1_000)
    ordinary.push(await issue(fixture, 'ordinary'))
    await drain(service)
  }
  for (const id of ordinary) {
    const { state, attempts, last_error } = messageOf(service, id)
    assert.deepEqual([state, attempts, last_error], ['sent', 1, null])
  }
  for (const id of deferred) {
    const { state, last_error } = messageOf(service, id)
    assert.equal(state, 'queued')
    assert.match(String(last_error), words)
  }
  report.ordinary += ordinary.length
  report.deferred += deferred.length
  return deferred
}

async function duringOutage(fixture: Fixture): Promise<string[]> {
  const { service, random } = fixture
  const waiting = await Promise.all(Array.from({ length: 6 + random.below(6) }, () => issue(fixture, 'ordinary')))
  await drain(service)
  const late = await issue(fixture, 'ordinary')
  for (let second = 0; second < random.below(15); second++) {
    await drain(service)
    service.clock.advance(1_000)
  }
  await drain(service)
  assert.match(
    String(messageOf(service, late)['last_error']),
    /^smtp: circuit open.*; last error: 127\.0\.0\.1 .*421 4\.3\.2/,
  )
  return [...waiting, late]
}

const recovered = (fixture: Fixture, ids: readonly string[]) => sentWithin(fixture, ids, longestRecovery)

/** Advances the clock until all are sent. @returns the seconds that took */
async function sentWithin({ service }: Fixture, ids: readonly string[], seconds: number): Promise<number> {
  const areSent = () => ids.every((id) => messageOf(service, id)['state'] === 'sent')
  await drain(service)
  for (let second = 0; second <= seconds; second++) {
    if (areSent()) return second
    service.clock.advance(1_000)
    await drain(service)
  }
  throw assert.fail(`not sent within ${seconds} s`)
}

function assertEachOnce({ peer, issued }: Fixture): void {
  const arrived = peer.received.map(readMail).map(({ to }) => to[0])
  assert.deepEqual([arrived.length, new Set(arrived).size], [issued, issued])
}

/** `npm run campaign -- senders --rounds 100 --seed 1`. */
export async function runSenders({ rounds, seed }: CampaignOptions): Promise<void> {
  const steps = { name: 'senders', unit: 'round', total: rounds }
  const { ordinary, deferred, deferrals, longestRecovery } = await withProgress(steps, ({ watch }) =>
    deferRecipients(rounds, seed, watch),
  )
  process.stdout.write(
    `senders: ${rounds} rounds (seed ${seed}); ${ordinary} messages sent at once beside ${deferred} that were deferred ${deferrals} times; recovered from an outage within ${longestRecovery} s\n`,
  )
}
