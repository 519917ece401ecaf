import assert from 'node:assert/strict'
import * as delivery from './delivery-races.ts'
import * as limits from './limit-races.ts'
import * as otp from './otp-races.ts'
import * as profiles from './profile-races.ts'
import { openDisturbedGround, openRaceGround, type RaceGround, type Round } from './race-ground.ts'
import * as resets from './reset-races.ts'
import { type Random, seededRandom } from './seeded-random.ts'

/** A race by its number in the list of threats. */
export interface Race {
  readonly outcome: string
  readonly round: Round
  /** How many rounds the sample of `npm test` runs. */
  readonly sample: number
}

/** Every race that touches what is built; a round asserts answers, rows, and what follows. */
export const races = {
  D01: { outcome: '64 confirms of one OTP: one wins', round: resets.confirmsOfOneOtp, sample: 12 },
  D02: { outcome: '50 resends after the interval: one sends', round: otp.resendsAfterTheInterval, sample: 20 },
  D03: { outcome: '50 resends with one left: the maximum is met exactly', round: otp.resendsWithOneLeft, sample: 20 },
  D04: { outcome: '64 wrong codes: the cap is met exactly', round: otp.wrongCodesBeyondTheCap, sample: 20 },
  D05: { outcome: '63 wrong codes and the right one: one history fits', round: otp.oneRightCodeAmongWrong, sample: 20 },
  D06: { outcome: 'a verify and resends: either order', round: otp.verifyAgainstResend, sample: 30 },
  D07: { outcome: 'verifies while the clock passes the end: none late', round: otp.verifyAgainstExpiry, sample: 20 },
  D08: { outcome: 'confirms of two OTPs of one user: one password', round: resets.confirmsOfTwoOtps, sample: 25 },
  D09: { outcome: 'a confirm and a deletion: nothing is left', round: resets.confirmAgainstDeletion, sample: 25 },
  D10: { outcome: 'a confirm and old sign-ins: no session survives', round: resets.confirmAgainstSignIn, sample: 15 },
  D11: { outcome: '32 first updates: one profile', round: profiles.firstUpdates, sample: 20 },
  D12: {
    outcome: '32 updates of different fields: none is lost',
    round: profiles.updatesOfDifferentFields,
    sample: 20,
  },
  D13: { outcome: '32 updates of one field: one order', round: profiles.updatesOfOneField, sample: 20 },
  D14: {
    outcome: 'updates while the schema changes: one version each',
    round: profiles.updatesAgainstNewSchema,
    sample: 15,
  },
  D15: { outcome: '100 requests at a limit of 10: ten pass', round: limits.requestsAtTheLimit, sample: 15 },
  D16: { outcome: 'bursts at the edge: never over ten an hour', round: limits.burstsAtTheWindowEdge, sample: 15 },
  D17: {
    outcome: 'a revocation among requests: none starts after it',
    round: limits.revocationAgainstRequests,
    sample: 15,
  },
  D18: { outcome: 'two workers on one outbox: each message once', round: delivery.workersOnOneOutbox, sample: 3 },
  D19: { outcome: 'any of these while another process writes', round: disturbedRace, sample: 4 },
} satisfies Record<string, Race>

export type RaceName = keyof typeof races
export const raceNames = Object.keys(races) as RaceName[]

const limited: readonly string[] = ['D15', 'D16']

/** A ground fit for this race: the two about limits count, all others run without any. */
export function openGroundFor(name: RaceName): Promise<RaceGround> {
  if (name === 'D19') return openDisturbedGround()
  return openRaceGround(limited.includes(name) ? { limitsText: 'all=off,reset-password=10/h' } : {})
}

/** D19: any of the races about rows, while another process writes to the same file: nobody hears of its lock. */
async function disturbedRace(ground: RaceGround, random: Random): Promise<void> {
  const name = random.pick(raceNames.filter((other) => other < 'D15' && other !== 'D07'))
  await races[name].round(ground, random)
  const locked = ground.service.log.filter((line) => /SQLITE_BUSY|database is locked/.test(line))
  assert.deepEqual(locked, [])
}

/** Runs rounds of one race on one ground; an error says which round of which seed to run again. */
export async function runRace(name: RaceName, ground: RaceGround, seed: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    try {
      await races[name].round(ground, seededRandom(seed, name, round))
    } catch (error) {
      throw new Error(`${name}, seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** `npm run campaign -- races --seed 7 --rounds 1000 [--only D01]`. */
export async function runRaces(options: { seed: number; rounds: number; only?: string }): Promise<void> {
  const { seed, rounds, only } = options
  const names = raceNames.filter((name) => only === undefined || only.split(',').includes(name))
  if (names.length === 0) throw new Error(`--only ${only}: the races are ${raceNames.join(', ')}`)
  for (const name of names) {
    const begun = performance.now()
    await using ground = await openGroundFor(name)
    await runRace(name, ground, seed, rounds)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`${name}  ${rounds} rounds in ${seconds} s  ${races[name].outcome}\n`)
  }
}
