import { join } from 'node:path'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { measurePairs, type Side } from './against.ts'
import { checkout } from './child.ts'
import type { BenchOptions } from './compare.ts'
import { scenariosOf } from './scenarios.ts'
import { adminKey, type Service, startService } from './service.ts'
import { median, row } from './table.ts'

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

/**
 * `npm run bench -- events [--postgres] [--only "challenge: security"]`: a tenant that records events beside one that
 * records none, in alternating rounds, with the relay paused and running. `work` is the ratio of processor time per request;
 * on PostgreSQL, that of the service without the database.
 */
export async function benchEvents(options: EventBenchOptions): Promise<void> {
  await using server = options.postgres ? await startPostgres() : null
  console.log(row('', 'with/s', 'without/s', 'speed', 'target', 'with µs', 'without µs', 'work'))
  for (const relay of ['paused', 'running'] as const) {
    const start = async (side: string) =>
      startService({ ...options, databaseUrl: await server?.createDatabase(), nodeArguments: argumentsOf(relay, side) })
    await using without = await start('without')
    await using recording = await start('with')
    await setDetail(without, 'off')
    await compare(relay, recording, without)
  }

  function argumentsOf(relay: Relay, side: string): string[] {
    const { profile } = options
    return [
      ...(relay === 'paused' ? ['--import', join(checkout, 'bench/paused-relay.ts')] : []),
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, side)}`]),
    ]
  }

  async function compare(relay: Relay, recording: Service, without: Service): Promise<void> {
    const [here, there] = [await sideOf(recording), await sideOf(without)]
    // Every detail of a scenario before the next scenario: confirming resets ends the sessions that earlier ones use.
    for (const [index, { name }] of here.scenarios.entries()) {
      if (!measured.has(name)) continue
      for (const detail of details) {
        const title = `${name}: ${detail}, ${relay}`
        if (!title.includes(options.only)) continue
        await setDetail(recording, detail)
        report(title, targets[relay], await measurePairs({ here, there, index, options }))
      }
    }
  }
}

const setDetail = ({ baseUrl, tenant: { tenantId } }: Service, detail: 'off' | 'security' | 'all') =>
  createTenantryAdmin({ baseUrl, adminKey }).updateConfiguration({ tenantId }, { events: { detail } })

const sideOf = async (service: Service): Promise<Side> => ({ service, scenarios: await scenariosOf(service) })

function report(title: string, target: number, pairs: Awaited<ReturnType<typeof measurePairs>>): void {
  const figures = (of: 'requestsPerSecond' | 'cpuMicros') => ({
    here: median(pairs.map((pair) => pair.here[of])).toFixed(0),
    there: median(pairs.map((pair) => pair.there[of])).toFixed(0),
    ratio: median(pairs.map((pair) => pair.here[of] / pair.there[of])).toFixed(3),
  })
  const [speed, work] = [figures('requestsPerSecond'), figures('cpuMicros')]
  console.log(row(title, speed.here, speed.there, speed.ratio, target.toFixed(2), work.here, work.there, work.ratio))
}
