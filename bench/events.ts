import { join } from 'node:path'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { startPostgres } from '../test/support/databases/postgres-server.ts'
import { measurePairs, type Pair, type Side, sideOf } from './against.ts'
import { checkout } from './child.ts'
import type { BenchOptions } from './compare.ts'
import { type Service, startService } from './service.ts'
import { median, row } from './table.ts'
import { adminKey } from './tenant.ts'

interface EventBenchOptions extends BenchOptions {
  /** On PostgreSQL instead of SQLite. */
  readonly postgres: boolean
  /** The folder for CPU profiles: of the services that record in `with`, of the others in `without`. */
  readonly profile?: string | undefined
}

const measured: ReadonlySet<string> = new Set(['challenge', 'profile PATCH', 'verify', 'confirm', 'resend'])
const details = ['security', 'all'] as const
/** The least ratio of requests per second to those without events. */
const targets = { paused: 0.95, running: 0.91 } as const

type Relay = keyof typeof targets
type Detail = (typeof details)[number]

const titleOf = (name: string, detail: Detail, relay: Relay): string => `${name}: ${detail}, ${relay}`

const titlesOf = (relay: Relay): string[] =>
  [...measured].flatMap((name) => details.map((detail) => titleOf(name, detail, relay)))

/**
 * `npm run bench -- events [--postgres] [--only "challenge: security"]`: a service that records events beside one that
 * records none, in alternating rounds, with the relay paused and running. The services change roles after half of the
 * rounds: two processes with equal code differ by up to 7 %, which cancels out. `work` is the ratio of processor time per
 * request; on PostgreSQL, that of the service without the database.
 */
export async function benchEvents(options: EventBenchOptions): Promise<void> {
  await using server = options.postgres ? await startPostgres() : null
  console.log(row('', 'with/s', 'without/s', 'speed', 'target', 'with µs', 'without µs', 'work'))
  for (const relay of ['paused', 'running'] as const) {
    if (!titlesOf(relay).some((title) => title.includes(options.only))) continue
    const start = async (side: string) =>
      startService({
        ...options,
        databaseUrl: await server?.createDatabase(),
        nodeArguments: argumentsOf(relay, side),
        fromSources: true,
      })
    await using first = await start('with')
    await using second = await start('without')
    await compare(relay, await sideOf(first), await sideOf(second))
  }

  function argumentsOf(relay: Relay, side: string): string[] {
    const { profile } = options
    return [
      ...(relay === 'paused' ? ['--import', join(checkout, 'bench/paused-relay.ts')] : []),
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, side)}`]),
    ]
  }

  async function compare(relay: Relay, first: Side, second: Side): Promise<void> {
    // Every detail of a scenario before the next scenario: confirming resets ends the sessions that earlier ones use.
    for (const [index, { name }] of first.scenarios.entries()) {
      if (!measured.has(name)) continue
      for (const detail of details) {
        const title = titleOf(name, detail, relay)
        if (!title.includes(options.only)) continue
        const halves: Pair[][] = [await measureRecording(detail, first, second, index)]
        // Profiles have a folder for each role.
        if (options.profile === undefined) halves.push(await measureRecording(detail, second, first, index))
        report(title, targets[relay], halves)
      }
    }
  }

  async function measureRecording(detail: Detail, recording: Side, without: Side, index: number): Promise<Pair[]> {
    await setDetail(without.service, 'off')
    await setDetail(recording.service, detail)
    const rounds = options.profile === undefined ? Math.ceil(options.rounds / 2) : options.rounds
    return await measurePairs({ here: recording, there: without, index, options: { ...options, rounds } })
  }
}

const setDetail = ({ baseUrl, tenant: { tenantId } }: Service, detail: 'off' | 'security' | 'all') =>
  createTenantryAdmin({ baseUrl, adminKey }).updateConfiguration({ tenantId }, { events: { detail } })

/** @param halves the pairs of each assignment of roles */
function report(title: string, target: number, halves: readonly (readonly Pair[])[]): void {
  const pairs = halves.flat()
  const figures = (of: 'requestsPerSecond' | 'cpuMicros') => ({
    here: median(pairs.map((pair) => pair.here[of])).toFixed(0),
    there: median(pairs.map((pair) => pair.there[of])).toFixed(0),
    ratio: geometricMean(halves.map((half) => median(half.map((pair) => pair.here[of] / pair.there[of])))).toFixed(3),
  })
  const [speed, work] = [figures('requestsPerSecond'), figures('cpuMicros')]
  console.log(row(title, speed.here, speed.there, speed.ratio, target.toFixed(2), work.here, work.there, work.ratio))
}

const geometricMean = (values: readonly number[]): number =>
  values.reduce((product, value) => product * value, 1) ** (1 / values.length)
