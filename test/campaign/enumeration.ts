import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import {
  type EnumerationFixture,
  type MailServer,
  mailServers,
  openEnumerationFixture,
} from '../support/attacks/enumeration-fixture.ts'
import {
  type MeasurementName,
  measure,
  measuredOtp,
  measurementNames,
  type Sample,
} from '../support/attacks/enumeration-times.ts'
import type { Comparison } from '../support/attacks/two-sample.ts'
import { Misuse } from '../support/runner/command-line.ts'
import type { CampaignArguments } from './campaign-options.ts'
import { withProgress } from './progress.ts'

/** The sample that decides, and the first sample when that one looked like a difference. */
interface Judgement extends Comparison {
  readonly isDifferent: boolean
  readonly first: Comparison
}

/**
 * Tests one operation. A p-value below `level` is confirmed with a fresh sample, because one in 1 / `level` equal
 * operations has it by chance. Two in a row count as a difference; equal times show that once in 1 / `level`².
 */
export async function judgeTimes(
  fixture: EnumerationFixture,
  name: MeasurementName,
  { level, ...sample }: Sample & { readonly level: number },
): Promise<Judgement> {
  const first = await measure(fixture, name, sample)
  if (first.p >= level) return { ...first, first, isDifferent: false }
  const second = await measure(fixture, name, { ...sample, seed: sample.seed + 1 })
  return { ...second, first, isDifferent: second.p < level }
}

/** Operations that do not involve the mail server are measured with one of them. */
export const measurementsWith = (mail: MailServer): MeasurementName[] =>
  measurementNames.filter((name) => mail === 'fast' || !/^(sign|confirm)/.test(name))

/** Sign-in is measured with the production hasher, whose cost is part of the response time. */
export const openMeasuredFixture = (mail: MailServer, options = {}): Promise<EnumerationFixture> =>
  openEnumerationFixture(mail, { people: 50, otp: measuredOtp, hasher: createPasswordHasher(), ...options })

/** `npm run campaign -- enumeration --count 2000 [--only fast] [--seed S]` */
export async function runEnumeration({ count, seed, only }: CampaignArguments): Promise<void> {
  const isKnown = mailServers.some((mail) => only === undefined || only === mail)
  if (!isKnown) throw new Misuse(`unknown mail server "${only}" in --only; known ones: ${mailServers.join(', ')}`)
  process.stdout.write(`enumeration: seed ${seed}, ${count} pairs each\n`)
  for (const mail of mailServers) {
    if (only !== undefined && only !== mail) continue
    await using fixture = await openMeasuredFixture(mail)
    for (const name of measurementsWith(mail)) {
      const steps = { name: `${mail.padEnd(9)}${name}`, unit: 'pair', total: count }
      const { isDifferent, first, ...judged } = await withProgress(steps, ({ watch }) =>
        judgeTimes(fixture, name, { count, seed, level: 0.01, watch: (pairs) => watch(pairs, 'answers timed') }),
      )
      const again = first.p === judged.p ? '' : `  (first sample ${numbersOf(first)})`
      const verdict = isDifferent ? 'DIFFERENT' : 'equal'
      process.stdout.write(`${mail.padEnd(9)}${name.padEnd(25)}${numbersOf(judged)}  ${verdict}${again}\n`)
      if (isDifferent) process.exitCode = 1
    }
  }
}

const numbersOf = ({ ks, signedRank, medianDifference }: Comparison): string =>
  `KS p ${ks.toFixed(4)}  signed rank p ${signedRank.toFixed(4)}  median ${(medianDifference * 1000).toFixed(1)} µs`
