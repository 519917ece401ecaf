import { availableParallelism } from 'node:os'
import { verificationCost } from './access-tokens.ts'
import type { NextRequest } from './load.ts'
import {
  measureRound,
  medianRound,
  prepareRound,
  type Round,
  type RoundSize,
  requireQuiet,
  spreadOf,
  type Target,
} from './measure.ts'
import { type References, startReferences } from './references.ts'
import type { ReferenceName, Scenario } from './scenario.ts'
import { scenariosOf } from './scenarios.ts'
import { type Service, startService } from './service.ts'
import { median, row } from './table.ts'

/** The options of every comparison. */
export interface BenchOptions {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly users: number
  readonly sessions: number
  /** Only scenarios whose name contains this. */
  readonly only: string
  /** Report nothing if the rounds of one server differ too much. */
  readonly quietCheck: boolean
}

/** A server in a scenario, with what it is sent in each round. */
interface Contender extends Target {
  readonly name: string
  prepare(size: RoundSize): Promise<NextRequest>
}

const warmUpSeconds = 0.5

/**
 * `npm run bench`: drives the service and the servers it is compared to in rounds, one after another. The order rotates.
 * @param profile the folder for a CPU profile of the service
 */
export async function benchService(options: BenchOptions & { readonly profile?: string | undefined }): Promise<void> {
  const { profile, rounds, seconds, connections, users } = options
  const nodeArguments = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  await using service = await startService({ ...options, nodeArguments, fromSources: profile !== undefined })
  await using references = await startReferences(service)
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores, ${connections} connections, ${users} users, ${rounds} rounds of ${seconds} s each`,
  )
  console.log(`startup to first response: ${service.child.startMs.toFixed(0)} ms`)
  const { first, again } = await verificationCost()
  console.log(`verifying an access token: ${first.toFixed(0)} µs, ${again.toFixed(1)} µs from the cache\n`)
  console.log(row('', 'requests/s', 'ratio', 'CPU µs', 'p50 ms', 'p99 ms', 'spread', 'RSS MiB'))
  for (const scenario of await scenariosOf(service)) {
    if (!scenario.name.includes(options.only)) continue
    const contenders = contendersOf(scenario, service, references)
    const measured = await measureAll(scenario, contenders, options)
    if (options.quietCheck) requireQuiet(scenario.name, measured)
    report(scenario.name, contenders, measured)
  }
}

function contendersOf(scenario: Scenario, service: Service, references: References): Contender[] {
  const prepare = (size: RoundSize) => prepareRound(scenario, size)
  const others = Object.entries(scenario.references) as [ReferenceName, (typeof scenario.references)[ReferenceName]][]
  return [
    { name: 'service', child: service.child, delivered: service.delivered, prepare },
    ...others.map(([name, requests]) => ({
      name,
      child: references[name],
      prepare: requests === 'same' ? prepare : async () => requests!,
    })),
  ]
}

async function measureAll(
  scenario: Scenario,
  contenders: readonly Contender[],
  { rounds, seconds, connections }: BenchOptions,
): Promise<Map<string, Round[]>> {
  const round = async (contender: Contender, size: RoundSize) =>
    measureRound(contender, scenario, await contender.prepare(size), size)
  for (const contender of contenders) await round(contender, { connections, seconds: Math.min(seconds, warmUpSeconds) })
  const measured = new Map(contenders.map(({ name }) => [name, [] as Round[]]))
  for (let turn = 0; turn < rounds; turn++) {
    // Each server is first in turn, because what one leaves to the disk slows down the next.
    const first = turn % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      measured.get(contender.name)!.push(await round(contender, { connections, seconds }))
    }
  }
  return measured
}

function report(scenario: string, contenders: readonly Contender[], measured: ReadonlyMap<string, Round[]>): void {
  const ofService = measured.get('service')!
  for (const { name, child } of contenders) {
    const rounds = measured.get(name)!
    const { requestsPerSecond, cpuMicros, p50, p99 } = medianRound(rounds)
    const ratio = median(ofService.map((each, turn) => each.requestsPerSecond / rounds[turn]!.requestsPerSecond))
    console.log(
      row(
        name === 'service' ? scenario : `  ${name}`,
        requestsPerSecond.toFixed(0),
        name === 'service' ? '' : ratio.toFixed(2),
        cpuMicros.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        `${Math.round(spreadOf(rounds) * 100)} %`,
        child.residentMiB().toFixed(0),
      ),
    )
  }
}
