import assert from 'node:assert/strict'
import type { TestServiceOptions } from '../../support/service.ts'
import { signInByCode } from '../../support/sign-in-methods.ts'
import type { CampaignOptions } from '../campaign-options.ts'
import { unwatched, withProgress } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { acts, chooseAct } from './acts.ts'
import {
  authOf,
  clientOf,
  type HeldSession,
  hold,
  methods,
  openWorld,
  type Person,
  refresh,
  requireRefusal,
  type World,
} from './people.ts'
import { runThefts } from './thefts.ts'

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
  const name = chooseAct(acts, random)
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
  const thefts = { name: 'theft', unit: 'round', total: rounds }
  const entries = await withProgress(thefts, ({ watch }) => runThefts(rounds, seed, { watch }))
  process.stdout.write(
    `takeover: ${rounds} rounds (seed ${seed}); ${report.acts} acts, ${report.refusals} of them refused; ${report.sessions} sessions compared with their account; owners got into stolen accounts ${entries} times\n`,
  )
}
