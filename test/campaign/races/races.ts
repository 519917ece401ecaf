import assert from 'node:assert/strict'
import { onPostgres } from '../../support/databases/open-database.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import { Misuse } from '../../support/runner/command-line.ts'
import type { TestServiceOptions } from '../../support/service.ts'
import { unwatched, type Watch, withProgress } from '../progress.ts'
import { type Random, seededRandom } from '../seeded-random.ts'
import * as delivery from './delivery-races.ts'
import * as identities from './identity-races.ts'
import * as limits from './limit-races.ts'
import * as otp from './otp-races.ts'
import * as profiles from './profile-races.ts'
import * as protection from './protection-races.ts'
import { openRaceFixture, openRaceFixtureWithOtherWriter, type RaceFixture, type Round } from './race-fixture.ts'
import * as resets from './reset-races.ts'
import * as sessions from './session-races.ts'

/** A race by its number in the threat model; D21 and later are those of accounts and sessions. */
interface Race {
  readonly outcome: string
  readonly round: Round
  /** The number of rounds that `npm run check` runs. */
  readonly sample: number
}

/** Every race; a round asserts answers, rows and consequences. */
export const races = {
  D01: { outcome: '64 confirms of one OTP: one wins', round: resets.confirmsOfOneOtp, sample: 12 },
  D02: { outcome: '50 resends after the interval: one sends', round: otp.resendsAfterTheInterval, sample: 20 },
  D03: { outcome: '50 resends with one left: exactly the maximum is sent', round: otp.resendsWithOneLeft, sample: 20 },
  D04: { outcome: '64 wrong codes: exactly the cap is judged', round: otp.wrongCodesBeyondTheCap, sample: 20 },
  D05: { outcome: '63 wrong codes and the right one: one history fits', round: otp.oneRightCodeAmongWrong, sample: 20 },
  D06: { outcome: 'a verify and a resend: either order', round: otp.verifyAgainstResend, sample: 30 },
  D07: {
    outcome: 'verifies while the clock passes the expiry: none succeeds late',
    round: otp.verifyAgainstExpiry,
    sample: 20,
  },
  D08: { outcome: 'confirms of two OTPs of one user: one password', round: resets.confirmsOfTwoOtps, sample: 25 },
  D09: { outcome: 'a confirm and a deletion: no row is left', round: resets.confirmAgainstDeletion, sample: 25 },
  D10: { outcome: 'a confirm and old sign-ins: no session survives', round: resets.confirmAgainstSignIn, sample: 15 },
  D11: { outcome: '32 first updates: one profile', round: profiles.firstUpdates, sample: 20 },
  D12: {
    outcome: '32 updates of different fields: none is lost',
    round: profiles.updatesOfDifferentFields,
    sample: 20,
  },
  D13: { outcome: '32 updates of one field: one order', round: profiles.updatesOfOneField, sample: 20 },
  D14: {
    outcome: 'updates while the schema changes: each uses one version',
    round: profiles.updatesAgainstNewSchema,
    sample: 15,
  },
  D15: { outcome: '100 requests at a limit of 10: ten pass', round: limits.requestsAtTheLimit, sample: 15 },
  D16: {
    outcome: 'bursts at the window edge: never over ten an hour',
    round: limits.burstsAtTheWindowEdge,
    sample: 15,
  },
  D17: {
    outcome: 'a revocation among requests: later requests are refused',
    round: limits.revocationAgainstRequests,
    sample: 15,
  },
  D18: { outcome: 'two workers on one outbox: each message once', round: delivery.workersOnOneOutbox, sample: 3 },
  D19: { outcome: 'other races while another process writes', round: disturbedRace, sample: 4 },
  D21: { outcome: '16 sign-ups with one address: one account', round: sessions.signUpsWithOneAddress, sample: 12 },
  D22: { outcome: 'code sign-ins of one address: one account', round: sessions.codeSignInsOfOneAddress, sample: 12 },
  D23: {
    outcome: 'a sign-up and the proof of its address: the owner gets the account',
    round: sessions.signUpAgainstProof,
    sample: 20,
  },
  D24: { outcome: '16 refreshes of one token: one successor', round: sessions.refreshesOfOneToken, sample: 12 },
  D25: { outcome: 'refreshes and a reuse: the session ends', round: sessions.refreshAgainstReuse, sample: 15 },
  D26: {
    outcome: 'changes of one password and old sign-ins: one password stays',
    round: sessions.passwordChangesAgainstSignIn,
    sample: 12,
  },
  D27: { outcome: 'two users link one identity: one gets it', round: identities.linksOfOneIdentity, sample: 15 },
  D28: { outcome: 'two users change to one address: one gets it', round: identities.changesToOneAddress, sample: 12 },
  D29: {
    outcome: 'removals of the last two identities: one stays',
    round: identities.removalsOfTheLastTwo,
    sample: 15,
  },
  D30: { outcome: 'a deletion of an account in use: no row is left', round: identities.deletionAgainstUse, sample: 20 },
  D31: {
    outcome: 'a guest upgrade while idle guests are erased: one of the two happens',
    round: identities.guestPurgeAgainstLink,
    sample: 15,
  },
  D32: { outcome: '16 uses of one ID token: one succeeds', round: identities.usesOfOneIdToken, sample: 15 },
  D33: {
    outcome: 'a recovery and a change of address: the change is first or refused',
    round: protection.recoveryAgainstVerification,
    sample: 20,
  },
  D34: {
    outcome: 'an undo and a second change: the owner keeps the address',
    round: protection.undoAgainstSecondChange,
    sample: 15,
  },
  D35: {
    outcome: 'a step-up and a sign-out: no token stays valid',
    round: protection.stepUpAgainstSignOut,
    sample: 15,
  },
  D37: {
    outcome: '64 claims of one unique value: one wins',
    round: profiles.claimsOfOneValue,
    // 100 rounds take 3 s on SQLite, and 13 s with the two processes on PostgreSQL.
    sample: onPostgres ? 60 : 100,
  },
  I12: {
    outcome: '100 challenges at the code budgets: exact counts, and a known network gets its share',
    round: limits.codesAtTheBudget,
    sample: 12,
  },
} satisfies Record<string, Race>

export type RaceName = keyof typeof races
export const raceNames = Object.keys(races) as RaceName[]

const limitsTexts: Partial<Record<RaceName, string>> = {
  D15: 'all=off,reset-password=10/h',
  D16: 'all=off,reset-password=10/h',
  I12: 'all=off,codes-per-network=10/h,codes-per-recipient=30/h',
}

/** A fixture for this race: limits and budgets are on only for the races that test them. */
export function openFixtureFor(
  name: RaceName,
  google: IdentityProvider,
  options: TestServiceOptions = {},
): Promise<RaceFixture> {
  if (name === 'D19') return openRaceFixtureWithOtherWriter(google)
  return openRaceFixture(google, { limitsText: limitsTexts[name] ?? 'all=off', ...options })
}

/** Races about more than rows: they set the clock, count in memory, or need an exclusive worker. */
const notOfRows: readonly string[] = ['D07', 'D15', 'D16', 'D17', 'D18', 'D19', 'I12']

/** Whether a race is about rows only, so that others can run before it on the same fixture. */
export const isOfRows = (name: RaceName): boolean => !notOfRows.includes(name)

/** D19: any of the races about rows, while another process writes to the same file: no request fails because of its lock. */
async function disturbedRace(fixture: RaceFixture, random: Random): Promise<void> {
  const name = random.pick(raceNames.filter(isOfRows))
  await races[name].round(fixture, random)
  const locked = fixture.service.log.filter((line) => /SQLITE_BUSY|database is locked/.test(line))
  assert.deepEqual(locked, [])
}

/** Runs rounds of one race on one fixture; an error names the seed and the round. */
export async function runRace(
  name: RaceName,
  fixture: RaceFixture,
  { seed, rounds, watch = unwatched }: { readonly seed: number; readonly rounds: number; readonly watch?: Watch },
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    try {
      await races[name].round(fixture, seededRandom(seed, name, round))
      watch(round + 1, races[name].outcome)
    } catch (error) {
      const logged = fixture.processes.flatMap(({ log }) => log).filter((line) => JSON.parse(line).level >= 50)
      const message = `${name}, seed ${seed}, round ${round}: ${(error as Error).message}\n${logged.slice(-3).join('')}`
      throw new Error(message, { cause: error })
    }
  }
}

/** `npm run campaign -- races --seed 7 --rounds 1000 [--only D01]`; on PostgreSQL with TENANTRY_TEST_POSTGRES_URL. */
export async function runRaces(options: { seed: number; rounds: number; only?: string }): Promise<void> {
  const { seed, rounds, only } = options
  const runnable = raceNames.filter((name) => name !== 'D19' || !onPostgres)
  const names = runnable.filter((name) => only === undefined || only.split(',').includes(name))
  if (names.length === 0) throw new Misuse(`unknown race "${only}" in --only; known races: ${raceNames.join(', ')}`)
  await using google = await startIdentityProvider('google')
  for (const name of names) {
    const begun = performance.now()
    await using fixture = await openFixtureFor(name, google)
    await withProgress({ name, unit: 'round', total: rounds }, ({ watch }) =>
      runRace(name, fixture, { seed, rounds, watch }),
    )
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`${name}  ${rounds} rounds in ${seconds} s  ${races[name].outcome}\n`)
  }
}
