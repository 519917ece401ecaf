import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Child, startArgumentsIn, startChild } from './child.ts'
import { drive } from './load.ts'
import type { Scenario } from './scenario.ts'
import { median, row } from './table.ts'

/** The options of a comparison. */
export interface AgainstOptions {
  /** The other checkout, with packages installed. */
  readonly folder: string
  readonly rounds: number
  readonly seconds: number
  /** Only scenarios whose name contains this. */
  readonly only: string
  /** Settings for this checkout only, such as one that the other checkout rejects as unknown. */
  readonly env: Record<string, string>
}

/** One of the two checkouts: its service with its own database, and its scenarios. */
interface Side {
  readonly child: Child
  readonly scenarios: readonly Scenario[]
  /** Resolves when no message is due. */
  drained(): Promise<void>
  close(): Promise<void>
}

/** Requests per second, and processor time per request in microseconds. */
interface Round {
  readonly speed: number
  readonly work: number
}

const connections = 64
const adminKey = 'bench-admin-key-of-at-least-32-characters'

/**
 * `npm run bench -- against <folder> [--rounds 5] [--seconds 2] [--only resend] [--set NAME=value]`: compares this checkout to another
 * in alternating rounds on one machine. `speed` is the ratio of requests per second in the same round, this to other; `work` is
 * the ratio of processor time per request, which other processes on the machine affect less.
 */
export async function benchAgainst({ folder, rounds, seconds, only, env }: AgainstOptions): Promise<void> {
  const here = await startSide(resolve('.'), 4602, env)
  const there = await startSide(resolve(folder), 4603, {})
  console.log(`\nthis checkout against ${folder}, ${rounds} rounds of ${seconds} s each\n`)
  console.log(row('', 'this/s', 'other/s', 'speed', 'this µs', 'other µs', 'work', 'lowest', 'highest'))
  try {
    for (const scenario of here.scenarios.filter(({ name }) => name.includes(only))) {
      const other = there.scenarios.find(({ name }) => name === scenario.name)
      if (other === undefined) continue
      const pairs: { here: Round; there: Round }[] = []
      for (let round = 0; round < rounds; round++) {
        // The order alternates, because the first slows down the second.
        const first = round % 2 === 0
        const before = first ? await measure(here, scenario, seconds) : null
        const theirs = await measure(there, other, seconds)
        pairs.push({ here: before ?? (await measure(here, scenario, seconds)), there: theirs })
      }
      const speeds = pairs.map((pair) => pair.here.speed / pair.there.speed)
      const work = pairs.map((pair) => pair.here.work / pair.there.work)
      console.log(
        row(
          scenario.name,
          median(pairs.map((pair) => pair.here.speed)).toFixed(0),
          median(pairs.map((pair) => pair.there.speed)).toFixed(0),
          median(speeds).toFixed(3),
          median(pairs.map((pair) => pair.here.work)).toFixed(0),
          median(pairs.map((pair) => pair.there.work)).toFixed(0),
          ...[median(work), Math.min(...work), Math.max(...work)].map((ratio) => ratio.toFixed(3)),
        ),
      )
    }
  } finally {
    await Promise.all([here.close(), there.close()])
  }
}

async function measure({ child, drained }: Side, scenario: Scenario, seconds: number): Promise<Round> {
  const next = await scenario.prepare(Math.ceil(seconds * ('alone' in scenario.reference ? 400 : 16_000)))
  await drained()
  const before = child.processorMs()
  const load = await drive({ port: child.port, connections, seconds, expectedStatus: scenario.status, next })
  if (load.unexpected > 0) throw new Error(`${scenario.name}: ${load.unexpected} unexpected answers`)
  return { speed: load.requestsPerSecond, work: ((child.processorMs() - before) * 1000) / load.requests }
}

async function startSide(root: string, port: number, settings: Record<string, string>): Promise<Side> {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href)
  const { generateMasterKeys } = (await load('server/secrets/master-keys.ts')) as MasterKeys
  const { createKeyring } = (await load('server/secrets/keyring.ts')) as typeof import('../server/secrets/keyring.ts')
  const { openSqliteStorage } = (await load('server/storage/sqlite/sqlite-storage.ts')) as SqliteStorage
  const { createTenantryClient } = (await load('client/client.ts')) as typeof import('../client/client.ts')
  const { seedTenant } = (await load('bench/seed.ts')) as typeof import('./seed.ts')
  const { scenariosOf } = (await load('bench/scenarios.ts')) as typeof import('./scenarios.ts')

  const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
  const path = join(folder, 'tenantry.db')
  const masterKeys = generateMasterKeys(Date.now())
  const env = {
    // The other checkout may not know this setting.
    TENANTRY_DRAIN_SECONDS: undefined,
    ...settings,
    PORT: String(port),
    DATABASE_URL: `sqlite:${path}`,
    TENANTRY_LIMITS: 'all=off',
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: masterKeys,
    HOST: '127.0.0.1',
  }
  const child = await startChild(port, startArgumentsIn(root), env, '/healthz', root)
  const storage = await openSqliteStorage({ path })
  const baseUrl = `http://127.0.0.1:${port}`
  const tenant = await seedTenant(baseUrl, adminKey, 200, connections)
  const users = createTenantryClient({ baseUrl, adminKey }).listUsers({ tenantId: tenant.tenantId }, { limit: '200' })
  const userIds = (await users).items.map(({ id }) => id)
  const scenarios = await scenariosOf({ baseUrl, tenant, storage, keyring: createKeyring(masterKeys), userIds })
  return {
    child,
    scenarios,
    async drained() {
      while ((await storage.system.outbox.nextDue()) !== null) await new Promise((done) => setTimeout(done, 50))
    },
    async close() {
      await storage.close()
      await child.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type MasterKeys = typeof import('../server/secrets/master-keys.ts')
type SqliteStorage = typeof import('../server/storage/sqlite/sqlite-storage.ts')
