import assert from 'node:assert/strict'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import { deploymentSmtp, drain } from '../support/delivery/sending-service.ts'
import { type SmtpPeer, startSmtpPeer } from '../support/peers/smtp-peer.ts'
import { refused } from '../support/refused.ts'
import type { CampaignOptions } from './campaign-options.ts'
import { unwatched, withProgress } from './progress.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import { turnedClock } from './shifted-clock.ts'

const scope = 'otp_signin'
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const stepsOfARound = 30
/** How much time a server may have failed to record when it ends, and how much slower its clock runs while it is ahead. */
const unseenMs = 5 * second
const slowest = 1 / 0.99
/** The wall clock stays within this distance of the real time: a restart accepts at most a day. */
const mostTurned = 11 * hour

/** The totals of all rounds. */
interface ClockReport {
  readonly rounds: number
  turns: number
  restarts: number
  /** Messages sent, tokens and codes judged, waits reported. */
  checks: number
}

/** Something that ends `afterMs` of real time later, plus the time that restarts did not record. */
interface Ending {
  readonly endsAt: number
  readonly now: number
  check(hasEnded: boolean): Promise<void>
}

/**
 * Sets a machine's wall clock by seconds and hours while time passes and the service restarts. Checks against the time
 * that really passed: mail is sent, used refresh tokens and expired codes stay refused, codes work for their full
 * lifetime unless the clock was set ahead, limits report true waits, and the clock never goes back.
 */
export async function runTurns(rounds: number, seed: number, watch = unwatched): Promise<ClockReport> {
  const report = { rounds, turns: 0, restarts: 0, checks: 0 }
  const peer = await startSmtpPeer()
  try {
    for (let round = 0; round < rounds; round++) {
      try {
        await turnInOneRound(seededRandom(seed, 'clock', round), peer, report)
        watch(round + 1, `${report.checks} checks`)
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error })
      }
    }
  } finally {
    await peer.close()
  }
  return report
}

async function turnInOneRound(random: Random, peer: SmtpPeer, report: ClockReport): Promise<void> {
  const options = { limitsText: 'all=off,resend=3/h' }
  await using clock = await turnedClock(() => [deploymentSmtp(peer)], options)
  const { key } = await clock.service.addTenant({ methods: ['otp', 'guest'] })
  const client = () => createTenantryClient({ baseUrl: clock.service.baseUrl, tenantKey: key })
  const pending: Ending[] = []
  let unseen = 0
  let people = 0
  let latest = clock.now()
  let turned = 0

  /** The wall clock was set ahead in the meantime, beyond the time that has passed. */
  const wasSetAhead = ({ now, endsAt }: Ending, lifeMs: number) =>
    clock.now() - now > clock.elapsed() - (endsAt - lifeMs) + second

  async function sendCode(): Promise<void> {
    const email = `person-${people++}-${random.below(1e9)}@example.org`
    const { id } = await client().issueOtp({ scope, email })
    await drain(clock.service)
    const mail = peer.received.map(readMail).findLast(({ to }) => to[0] === email)
    assert.ok(mail?.code, 'the message was not sent at once')
    report.checks++
    const lifeMs = 600 * second
    const ending: Ending = {
      ...{ endsAt: clock.elapsed() + lifeMs, now: clock.now() },
      async check(hasEnded) {
        const verify = client().verifyOtp({ id, scope, code: mail.code! })
        if (hasEnded) await refused(verify, 'OTP_NOT_FOUND')
        else if (!wasSetAhead(ending, lifeMs)) await verify
        else await verify.catch(() => undefined)
      },
    }
    pending.push(ending)
  }

  async function useToken(): Promise<void> {
    const { refreshToken } = await client().signIn({ method: 'guest' })
    await client().refreshSession({ refreshToken })
    pending.push({
      ...{ endsAt: clock.elapsed() + 10 * second, now: clock.now() },
      async check(hasEnded) {
        if (hasEnded) await refused(client().refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
      },
    })
  }

  async function meetLimit(): Promise<void> {
    for (let attempt = 0; attempt < 4; attempt++) {
      const refusal = await client()
        .resendOtp({ id: 'unknown', scope })
        .then(
          () => assert.fail('the code does not exist'),
          (error) => error,
        )
      if (refusal.code !== 'TOO_MANY_REQUESTS') continue
      assert.ok(refusal.retryAfter > 0 && refusal.retryAfter <= 3_600, `Retry-After: ${refusal.retryAfter}`)
      report.checks++
    }
  }

  async function judge(): Promise<void> {
    const at = random.below(pending.length)
    const ending = pending[at]
    if (ending === undefined) return
    const age = clock.elapsed() - ending.endsAt
    // In between, both results are correct: the clock runs slower while it is ahead, and a restart loses some seconds.
    const slack = (clock.elapsed() - ending.endsAt + 10 * minute) * (slowest - 1) + unseen + second
    if (age > -second && age < slack) return
    pending.splice(at, 1)
    await ending.check(age >= slack)
    report.checks++
  }

  async function restart(): Promise<void> {
    report.restarts++
    const lost = random.below(unseenMs)
    unseen += unseenMs
    latest = clock.now() - lost
    await clock.restart(lost)
  }

  function turn(): void {
    const ms = random.pick([-10 * hour, -hour, -hour, -30 * minute, -2 * second, 2 * second, hour, 10 * hour])
    if (Math.abs(turned + ms) > mostTurned) return
    turned += ms
    report.turns++
    clock.turn(ms)
    clock.now()
  }

  const acts = [sendCode, useToken, meetLimit, judge, judge, judge, turn, turn, restart]
  for (let step = 0; step < stepsOfARound; step++) {
    await random.pick(acts)()
    clock.pass(random.pick([0, second, 11 * second, 61 * second, 11 * minute]))
    const now = clock.now()
    assert.ok(now >= latest, `the clock went back by ${latest - now} ms`)
    latest = now
  }
}

/** `npm run campaign -- clock --rounds 100 --seed 1`. */
export async function runClock({ rounds, seed }: CampaignOptions): Promise<void> {
  const steps = { name: 'clock', unit: 'round', total: rounds }
  const { turns, restarts, checks } = await withProgress(steps, ({ watch }) => runTurns(rounds, seed, watch))
  process.stdout.write(
    `clock: ${rounds} rounds (seed ${seed}); the wall clock was set ${turns} times, with ${restarts} restarts; ${checks} checks\n`,
  )
}
