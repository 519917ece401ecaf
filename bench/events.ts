import { join } from 'node:path'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { measurePairs, type Side } from './against.ts'
import { checkout } from './child.ts'
import type { BenchOptions } from './compare.ts'
import { scenariosOf } from './scenarios.ts'
import { adminKey, type Service, startService } from './service.ts'
import { median, row } from './table.ts'

const measured: ReadonlySet<string> = new Set(['challenge', 'profile PATCH', 'verify', 'confirm', 'resend'])
/** The least ratio of requests per second to those without events. */
const targets = { paused: 0.95, running: 0.91 } as const

/**
 * `npm run bench -- events [--only challenge]`: a tenant that records events beside one that records none, in alternating
 * rounds, with the relay paused and running.
 */
export async function benchEvents(options: BenchOptions): Promise<void> {
  console.log(row('', 'with/s', 'without/s', 'speed', 'target', 'work'))
  for (const relay of ['paused', 'running'] as const) {
    const nodeArguments = relay === 'paused' ? ['--import', join(checkout, 'bench/paused-relay.ts')] : []
    await using without = await startService({ ...options, nodeArguments })
    await using recording = await startService({ ...options, nodeArguments })
    await setDetail(without, 'off')
    const [here, there] = [await sideOf(recording), await sideOf(without)]
    for (const detail of ['security', 'all'] as const) {
      await setDetail(recording, detail)
      await compare(`${detail}, relay ${relay}`, targets[relay], here, there, options)
    }
  }
}

const setDetail = ({ baseUrl, tenant: { tenantId } }: Service, detail: 'off' | 'security' | 'all') =>
  createTenantryAdmin({ baseUrl, adminKey }).updateConfiguration({ tenantId }, { events: { detail } })

const sideOf = async (service: Service): Promise<Side> => ({ service, scenarios: await scenariosOf(service) })

async function compare(title: string, target: number, here: Side, there: Side, options: BenchOptions): Promise<void> {
  for (const [index, { name }] of here.scenarios.entries()) {
    if (!measured.has(name) || !name.includes(options.only)) continue
    const pairs = await measurePairs({ here, there, index, options })
    const ratio = (of: (round: (typeof pairs)[number]['here']) => number) =>
      median(pairs.map((pair) => of(pair.here) / of(pair.there)))
    const perSecond = (side: 'here' | 'there') => median(pairs.map((pair) => pair[side].requestsPerSecond)).toFixed(0)
    const speed = ratio(({ requestsPerSecond }) => requestsPerSecond).toFixed(3)
    const work = ratio(({ cpuMicros }) => cpuMicros).toFixed(3)
    console.log(row(`${name}: ${title}`, perSecond('here'), perSecond('there'), speed, target.toFixed(2), work))
  }
}
