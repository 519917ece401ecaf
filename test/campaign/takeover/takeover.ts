import assert from 'node:assert/strict'
import { TenantryError } from '../../../packages/client/src/index.ts'
import type { TestServiceOptions } from '../../support/service.ts'
import { signInByCode } from '../../support/sign-in-methods.ts'
import type { CampaignOptions } from '../campaigns.ts'
import { unwatched, withProgress } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { acts } from './acts.ts'
import { authOf, clientOf, type HeldSession, hold, methods, openWorld, type Person, type World } from './people.ts'

const stepsOfARound = 400

/** The totals of all rounds. */
interface TakeoverReport {
  readonly rounds: number
  acts: number
  /** Of the acts. */
  refusals: number
  /** Sessions whose account was compared with its holder. */
  sessions: number
}

/**
 * People act at random, alone and at once, on accounts of the same tenants, and try to get into each other's: with addresses
 * that are not theirs, old passwords, ended sessions, unverified claims of providers. A person may hold a session of an
 * account only if they receive the messages to its verified addresses; what has ended stays so; and the owner of an
 * address can sign in with a code to it.
 */
export async function runTakeovers(
  rounds: number,
  seed: number,
  { watch = unwatched, ...options }: TestServiceOptions & { watch?: typeof unwatched } = {},
): Promise<TakeoverReport> {
  const report = { rounds, acts: 0, refusals: 0, sessions: 0 }
  for (let round = 0; round < rounds; round++) {
    await using world = await openWorld(seededRandom(seed, 'takeover', round), options)
    const done: string[] = []
    try {
      await playRound(world, report, done)
    } catch (error) {
      const last = done.slice(-20).join(', ')
      throw new Error(`seed ${seed}, round ${round}, after ${last}: ${(error as Error).message}`, { cause: error })
    }
    watch(round + 1, `${report.sessions} sessions`)
  }
  return report
}

async function playRound(world: World, report: TakeoverReport, done: string[]): Promise<void> {
  const { random } = world
  for (let step = 0; step < stepsOfARound; step++) {
    const together = random.below(4) === 0 ? 2 + random.below(3) : 1
    await Promise.all(Array.from({ length: together }, () => actOnce(world, report, done)))
    if (together > 1 || step % 4 === 0) await requireOwnSessions(world, report)
  }
  await requireOwnersEnter(world)
  await requireOwnSessions(world, report)
}

async function actOnce(world: World, report: TakeoverReport, done: string[]): Promise<void> {
  const { random, people, tenants } = world
  const name = chooseAct(random.next())
  const person = random.pick(people)
  done.push(`${person.name} ${name}`)
  report.acts++
  try {
    await acts[name]!.act(world, person, random.pick(tenants))
  } catch (error) {
    requireRefusal(error)
    report.refusals++
  }
}

const weights = Object.values(acts).reduce((sum, { weight }) => sum + weight, 0)

/** @param at from 0 up to 1 */
function chooseAct(at: number): string {
  let left = at * weights
  for (const [name, { weight }] of Object.entries(acts)) {
    left -= weight
    if (left < 0) return name
  }
  throw new Error(`${at} is not below 1`)
}

/** Anything but a refusal, or 503 when the acts of others on the same account went on for too long, is a defect. */
function requireRefusal(error: unknown): asserts error is TenantryError {
  if (!(error instanceof TenantryError) || (error.status >= 500 && error.status !== 503)) throw error
}

async function requireOwnSessions({ people }: World, report: TakeoverReport): Promise<void> {
  for (const person of people) {
    for (const session of person.sessions) await requireOwnSession(person, session, report)
    const [ended, open] = [true, false].map((is) => person.sessions.filter(({ hasEnded }) => hasEnded === is))
    person.sessions = [...open!, ...ended!.slice(-5)]
  }
}

async function requireOwnSession(person: Person, session: HeldSession, report: TakeoverReport): Promise<void> {
  const account = await clientOf(session)
    .getAccount()
    .catch(() => null)
  if (account === null) {
    await refresh(session)
    return
  }
  report.sessions++
  assert.ok(!session.hasEnded, `an ended session of ${person.name} works`)
  const { email, emailVerified, phone, phoneVerified } = account
  if (emailVerified)
    assert.ok(person.emails.includes(email!.toLowerCase()), `${person.name} is in the account of ${email}`)
  if (phoneVerified) assert.ok(person.phones.includes(phone!), `${person.name} is in the account of ${phone}`)
}

/** The access token has expired, or the session has ended. */
async function refresh(session: HeldSession): Promise<void> {
  const { tenant, refreshToken } = session
  try {
    Object.assign(session, await tenant.client.refreshSession({ refreshToken }))
    assert.ok(!session.hasEnded, 'an ended session was refreshed')
  } catch (error) {
    requireRefusal(error)
    session.hasEnded ||= error.code === 'INVALID_REFRESH_TOKEN'
  }
}

async function requireOwnersEnter({ service, google, tenants, people }: World): Promise<void> {
  service.clock.advance(24 * 3_600_000)
  for (const tenant of tenants) {
    await service.admin.updateConfiguration(tenant, { auth: authOf(google, methods) })
    for (const person of people) {
      for (const email of person.emails) {
        const session = await signInByCode(service, tenant, { email }).catch((error) => {
          // A suspended user.
          assert.equal(error.code, 'RESTRICTED_CAPABILITY', `${email}: ${error.message}`)
        })
        if (session) hold(person, tenant, session)
      }
    }
  }
}

export async function runTakeover({ rounds, seed }: CampaignOptions): Promise<void> {
  const steps = { name: 'takeover', unit: 'round', total: rounds }
  const report = await withProgress(steps, ({ watch }) => runTakeovers(rounds, seed, { watch }))
  process.stdout.write(
    `takeover: ${rounds} rounds (seed ${seed}); ${report.acts} acts, ${report.refusals} of them refused; ${report.sessions} sessions compared with their account\n`,
  )
}
