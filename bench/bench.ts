import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTenantryClient } from '../client/client.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { verificationCost } from './access-tokens.ts'
import { type Child, startArguments, startChild } from './child.ts'
import { drive, type Load, type NextRequest } from './load.ts'
import type { Bench, Scenario } from './scenario.ts'
import { scenariosOf } from './scenarios.ts'
import { seedTenant } from './seed.ts'
import { median, row } from './table.ts'

/**
 * `npm run bench -- [--rounds 5] [--seconds 2] [--only resend] [--profile folder]`: compares the service to a bare node:http server in
 * alternating rounds, both driven from this process. The table shows medians and their ratio.
 *
 * `npm run bench -- delivery [--messages 5000] [--challenges 300]`: see `delivery.ts`.
 * `npm run bench -- postgres [--rounds 5] [--seconds 2]`: see `postgres.ts`.
 * `npm run bench -- against <folder> [--rounds 5] [--seconds 2] [--only resend] [--set NAME=value]`: see `against.ts`.
 * `npm run bench -- growth [--rounds 5] [--seconds 2]`: see `growth.ts`.
 * `npm run bench -- start [folder …] [--rounds 5]`: see `startup.ts`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    set: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    messages: { type: 'string', default: '5000' },
    challenges: { type: 'string', default: '300' },
  },
})
if (positionals.length > 0) {
  await runNamed(...positionals)
  process.exit(0)
}
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = 64
const port = 4600
const barePort = 4601
const adminKey = 'bench-admin-key-of-at-least-32-characters'

const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
const databasePath = join(folder, 'tenantry.db')
const masterKeys = generateMasterKeys(Date.now())
const server = await startChild(
  port,
  [...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []), ...startArguments],
  {
    PORT: String(port),
    DATABASE_URL: `sqlite:${databasePath}`,
    TENANTRY_LIMITS: 'all=off',
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: masterKeys,
    HOST: '127.0.0.1',
  },
  '/healthz',
)
const bare = await startChild(barePort, ['bench/bare-server.ts', String(barePort)], {}, '/200/2')
const storage = await openSqliteStorage({ path: databasePath })

try {
  const baseUrl = `http://127.0.0.1:${port}`
  const tenant = await seedTenant(baseUrl, adminKey, 200, connections)
  const { items } = await createTenantryClient({ baseUrl, adminKey }).listUsers(
    { tenantId: tenant.tenantId },
    { limit: '200' },
  )
  const userIds = items.map((user) => user.id)
  const bench: Bench = { baseUrl, tenant, storage, keyring: createKeyring(masterKeys), userIds }

  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores, ${connections} connections, ${rounds} rounds of ${seconds} s each, limits off by setting`,
  )
  console.log(`startup to first response: ${server.startMs.toFixed(0)} ms`)
  const { first, again } = await verificationCost(bench)
  console.log(`verifying an access token: ${first.toFixed(0)} µs, ${again.toFixed(1)} µs from the cache\n`)
  console.log(row('', 'requests/s', 'bare', 'ratio', 'target', 'p50 ms', 'p99 ms', 'RSS MiB'))
  for (const scenario of await scenariosOf(bench)) {
    if (scenario.name.includes(values.only)) await measure(scenario)
  }
} finally {
  await storage.close()
  await Promise.all([server.stop(), bare.stop()])
  await rm(folder, { recursive: true, force: true })
}

async function runNamed(name?: string, folder?: string, ...folders: string[]): Promise<void> {
  if (name === 'delivery') {
    const { benchDelivery } = await import('./delivery.ts')
    await benchDelivery({ messages: Number(values.messages), challenges: Number(values.challenges) })
  } else if (name === 'postgres') {
    const { benchPostgres } = await import('./postgres.ts')
    await benchPostgres({ rounds: Number(values.rounds), seconds: Number(values.seconds), only: values.only })
  } else if (name === 'growth') {
    const { benchGrowth } = await import('./growth.ts')
    await benchGrowth({ rounds: Number(values.rounds), seconds: Number(values.seconds) })
  } else if (name === 'against' && folder !== undefined) {
    const { benchAgainst } = await import('./against.ts')
    const env = Object.fromEntries(values.set.map((setting) => setting.split('=', 2)))
    const { only } = values
    await benchAgainst({ folder, rounds: Number(values.rounds), seconds: Number(values.seconds), only, env })
  } else if (name === 'start') {
    const { benchStartup } = await import('./startup.ts')
    await benchStartup({ folders: folder === undefined ? [] : [folder, ...folders], rounds: Number(values.rounds) })
  } else throw new Error('unknown bench; available: delivery, postgres, growth, start, against <folder>')
}

async function measure(scenario: Scenario): Promise<void> {
  const service: Load[] = []
  const reference: number[] = []
  for (let round = 0; round < rounds; round++) {
    const next = await scenario.prepare(Math.ceil(seconds * ('alone' in scenario.reference ? 400 : 16_000)))
    await outboxDrained()
    service.push(await load(server, scenario.status, next))
    reference.push(await referencePerSecond(scenario))
  }
  const ratios = service.map((one, round) => one.requestsPerSecond / reference[round]!)
  const unexpected = service.reduce((sum, one) => sum + one.unexpected, 0)
  console.log(
    row(
      scenario.name,
      median(service.map((one) => one.requestsPerSecond)).toFixed(0),
      median(reference).toFixed(0),
      median(ratios).toFixed(2),
      scenario.target?.toFixed(2) ?? '-',
      median(service.map((one) => one.p50)).toFixed(1),
      median(service.map((one) => one.p99)).toFixed(1),
      server.residentMiB().toFixed(0),
    ) + (unexpected > 0 ? `   ${unexpected} unexpected answers` : ''),
  )
}

async function referencePerSecond({ status, reference }: Scenario): Promise<number> {
  if ('bare' in reference) return (await load(bare, status, reference.bare)).requestsPerSecond
  let done = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (; performance.now() < start + seconds * 1000; done++) await reference.alone()
    }),
  )
  return done / ((performance.now() - start) / 1000)
}

function load(child: Child, expectedStatus: number, next: NextRequest): Promise<Load> {
  return drive({ port: child.port, connections, seconds, expectedStatus, next })
}

/** Messages of the preparation are not part of the measurement. */
async function outboxDrained(): Promise<void> {
  while ((await storage.system.outbox.nextDue()) !== null) await new Promise((resolve) => setTimeout(resolve, 50))
}
