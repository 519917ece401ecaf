import type { BenchOptions } from './compare.ts'
import { measureRound, prepareRound, type Round, requireQuiet } from './measure.ts'
import type { Scenario } from './scenario.ts'
import { scenariosOf } from './scenarios.ts'
import { type Service, startService } from './service.ts'
import { median, row } from './table.ts'

/** The options of a comparison. */
interface AgainstOptions extends BenchOptions {
  /** The other checkout, with packages installed. */
  readonly folder: string
  /** Settings for this checkout only, such as one that the other checkout rejects as unknown. */
  readonly env: Readonly<Record<string, string>>
}

/** The service of one checkout. The scenarios are this checkout's for both. */
export interface Side {
  readonly service: Service
  readonly scenarios: readonly Scenario[]
}

/**
 * `npm run bench -- against <folder> [--only resend] [--set NAME=value]`: compares this checkout to another in alternating
 * rounds on one machine. `speed` is the ratio of requests per second in the same round, this to other; `work` is the ratio
 * of processor time per request, which other processes on the machine affect less.
 */
export async function benchAgainst(options: AgainstOptions): Promise<void> {
  const { folder, rounds, seconds, only } = options
  await using here = await startService(options)
  await using there = await startService({ ...options, root: folder, env: {} })
  const sides = { here: await sideOf(here), there: await sideOf(there) }
  console.log(`\nthis checkout against ${folder}, ${rounds} rounds of ${seconds} s each\n`)
  console.log(titles('this', 'other'))
  for (const [index, { name }] of sides.here.scenarios.entries()) {
    if (!name.includes(only)) continue
    const pairs = await measurePairs({ ...sides, index, options })
    const measured = new Map([
      ['this checkout', pairs.map((pair) => pair.here)],
      ['the other checkout', pairs.map((pair) => pair.there)],
    ])
    if (options.quietCheck) requireQuiet(name, measured)
    reportPairs(name, pairs)
  }
}

/** One round of each side. */
export interface Pair {
  readonly here: Round
  readonly there: Round
}

interface Pairing {
  readonly here: Side
  readonly there: Side
  /** Of the scenario. */
  readonly index: number
  readonly options: BenchOptions
}

/** Rounds of both sides in turns, after a short round of each that is not counted. */
export async function measurePairs({ here, there, index, options }: Pairing): Promise<Pair[]> {
  const round = async ({ service, scenarios }: Side, seconds: number) => {
    const scenario = scenarios[index]!
    const size = { connections: options.connections, seconds }
    return measureRound(service, scenario, await prepareRound(scenario, size), size)
  }
  const pairs: Pair[] = []
  for (const side of [here, there]) await round(side, Math.min(options.seconds, 0.5))
  for (let turn = 0; turn < options.rounds; turn++) {
    // The order alternates, because the first slows down the second.
    const before = turn % 2 === 0 ? await round(here, options.seconds) : null
    const theirs = await round(there, options.seconds)
    pairs.push({ here: before ?? (await round(here, options.seconds)), there: theirs })
  }
  return pairs
}

/** The titles of the columns of `reportPairs`. */
export const titles = (here: string, there: string): string =>
  row(
    '',
    ...[`${here}/s`, `${there}/s`, 'speed', `${here} µs`, `${there} µs`, 'work', 'lowest', 'highest'],
    ...[`${here} p99`, `${there} p99`],
  )

export function reportPairs(scenario: string, pairs: readonly Pair[]): void {
  const speed = pairs.map((pair) => pair.here.requestsPerSecond / pair.there.requestsPerSecond)
  const work = pairs.map((pair) => pair.here.cpuMicros / pair.there.cpuMicros)
  console.log(
    row(
      scenario,
      median(pairs.map((pair) => pair.here.requestsPerSecond)).toFixed(0),
      median(pairs.map((pair) => pair.there.requestsPerSecond)).toFixed(0),
      median(speed).toFixed(3),
      median(pairs.map((pair) => pair.here.cpuMicros)).toFixed(0),
      median(pairs.map((pair) => pair.there.cpuMicros)).toFixed(0),
      ...[median(work), Math.min(...work), Math.max(...work)].map((ratio) => ratio.toFixed(3)),
      ...[pairs.map(({ here }) => here.p99), pairs.map(({ there }) => there.p99)].map((p99) => median(p99).toFixed(0)),
    ),
  )
}

export const sideOf = async (service: Service): Promise<Side> => ({ service, scenarios: await scenariosOf(service) })
