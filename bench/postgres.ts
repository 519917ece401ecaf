import { availableParallelism } from 'node:os'
import pg from 'pg'
import { createTenantryClient } from '../client/client.ts'
import { ulid } from '../server/core/ids.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openPostgresStorage } from '../server/storage/postgres/postgres-storage.ts'
import { registeredStatements } from '../server/storage/statement.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Child, startArguments, startChild } from './child.ts'
import { drive, type Load } from './load.ts'
import type { Bench, Scenario } from './scenario.ts'
import { scenariosOf } from './scenarios.ts'
import { seedOtps, seedTenant } from './seed.ts'
import { median, row } from './table.ts'

/** The duration, and the PostgreSQL server; by default the bench starts one. */
export interface PostgresBenchOptions {
  readonly rounds: number
  readonly seconds: number
  readonly only: string
}

const connections = 64
/** Connections of one process, the service's default. */
const poolSize = 10
const adminKey = 'bench-admin-key-of-at-least-32-characters'
const target = 0.7

/** A registered statement with its parameters. */
type Step = readonly [name: string, ...parameters: unknown[]]
/** The round trips of one request; the statements of each are sent together. */
type Trips = () => readonly (readonly Step[])[]

/**
 * `npm run bench -- postgres`: compares the service in one and in two processes to a loop over `pg` that sends the
 * same statements in the same round trips and does nothing else.
 */
export async function benchPostgres({ rounds, seconds, only }: PostgresBenchOptions): Promise<void> {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const masterKeys = generateMasterKeys(Date.now())
  const start = (port: number) =>
    startChild(
      port,
      startArguments,
      {
        PORT: String(port),
        DATABASE_URL: url,
        TENANTRY_LIMITS: 'all=off',
        TENANTRY_ENVIRONMENT: 'staging',
        TENANTRY_ADMIN_KEY: adminKey,
        TENANTRY_MASTER_KEYS: masterKeys,
        // One issuer; otherwise the second process would reject tokens of the first.
        TENANTRY_PUBLIC_URL: 'http://127.0.0.1:4600',
        HOST: '127.0.0.1',
      },
      '/healthz',
    )
  const children = [await start(4600), await start(4602)]
  const storage = await openPostgresStorage({ url, connections: poolSize, acquireTimeoutMs: 60_000, migrate: false })
  const pool = new pg.Pool({ connectionString: url, max: 2 * poolSize, pipeline: true } as pg.PoolConfig)
  // Like the connections of the service.
  pool.on('connect', (client) => client.query('SET plan_cache_mode = force_generic_plan'))
  try {
    const baseUrl = 'http://127.0.0.1:4600'
    const tenant = await seedTenant(baseUrl, adminKey, 200, connections)
    const admin = createTenantryClient({ baseUrl, adminKey })
    const { items } = await admin.listUsers({ tenantId: tenant.tenantId }, { limit: '200' })
    const userIds = items.map(({ id }) => id)
    const bench: Bench = { baseUrl, tenant, storage, keyring: createKeyring(masterKeys), userIds }
    const scenarios = (await scenariosOf(bench)).filter(({ name }) => name.includes(only))

    console.log(
      `\nNode ${process.version}, ${availableParallelism()} cores shared with PostgreSQL, ${connections} connections, ${rounds} rounds of ${seconds} s each, fsync off, row-level security on\n`,
    )
    console.log(row('', '1 process', '2 processes', 'database', 'ratio 1', 'ratio 2', 'target', 'p50 ms'))
    for (const [name, trips] of Object.entries(tripsOf(bench))) {
      const scenario = scenarios.find((one) => one.name === name || one.name.startsWith(`${name},`))
      if (scenario) await measure(scenario, await trips())
    }
  } finally {
    await pool.end()
    await storage.close()
    await Promise.all(children.map((child) => child.stop()))
  }

  async function measure(scenario: Scenario, trips: Trips): Promise<void> {
    const [one, two, alone]: [Load[], Load[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      one.push(await load(children.slice(0, 1), scenario))
      two.push(await load(children, scenario))
      alone.push(await databaseAlone(trips))
    }
    const per = (loads: Load[]) => median(loads.map(({ requestsPerSecond }) => requestsPerSecond))
    const unexpected = [...one, ...two].reduce((sum, each) => sum + each.unexpected, 0)
    console.log(
      row(
        scenario.name,
        per(one).toFixed(0),
        per(two).toFixed(0),
        median(alone).toFixed(0),
        median(one.map(({ requestsPerSecond }, i) => requestsPerSecond / alone[i]!)).toFixed(2),
        median(two.map(({ requestsPerSecond }, i) => requestsPerSecond / alone[i]!)).toFixed(2),
        target.toFixed(2),
        median(one.map(({ p50 }) => p50)).toFixed(1),
      ) + (unexpected > 0 ? `   ${unexpected} unexpected answers` : ''),
    )
  }

  async function load(processes: readonly Child[], scenario: Scenario): Promise<Load> {
    const next = await scenario.prepare(Math.ceil(seconds * 4_000))
    while ((await storage.system.outbox.nextDue()) !== null) await new Promise((resolve) => setTimeout(resolve, 50))
    const each = connections / processes.length
    const loads = await Promise.all(
      processes.map(({ port }, index) =>
        drive({
          ...{ port, connections: each, seconds, expectedStatus: scenario.status },
          next: (connection, answer) => next(index * each + connection, answer),
        }),
      ),
    )
    return {
      requests: loads.reduce((sum, { requests }) => sum + requests, 0),
      requestsPerSecond: loads.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
      p50: Math.max(...loads.map(({ p50 }) => p50)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      unexpected: loads.reduce((sum, { unexpected }) => sum + unexpected, 0),
    }
  }

  /** Requests per second that the connections of one process allow. */
  async function databaseAlone(trips: Trips): Promise<number> {
    const clients = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()))
    const end = performance.now() + seconds * 1000
    const start = performance.now()
    let done = 0
    await Promise.all(
      clients.map(async (client) => {
        for (; performance.now() < end; done++) {
          for (const trip of trips()) await Promise.all(trip.map((step) => client.query(queryOf(step))))
        }
        client.release()
      }),
    )
    return done / ((performance.now() - start) / 1000)
  }
}

const sqlByName = new Map(registeredStatements().map(({ name, sql, arrays }) => [name, { sql, arrays }]))

function queryOf([name, ...values]: Step): pg.QueryConfig | string {
  const statement = sqlByName.get(name)
  if (statement === undefined) return name
  return { name, text: statement.sql, values, ...(statement.arrays && { rowMode: 'array' }) } as pg.QueryConfig
}

/** The statements of each operation, for prepared rows. */
function tripsOf({ tenant, storage, keyring, userIds }: Bench): Record<string, () => Promise<Trips>> {
  const { tenantId } = tenant
  const keyId = tenant.tenantKey.split('_')[2]!
  const sessionIdOf = (i: number) => tenant.sessions[i % tenant.sessions.length]!.refreshToken.slice(3, 29)
  const users = tenant.sessions.map(({ user }) => user)
  // Setting the tenant requires a transaction here; the service's reads do without BEGIN and COMMIT (docs/decisions/0022).
  const framed = (...steps: Step[]): Step[] => [['BEGIN'], ['postgres.enterTenant', tenantId], ...steps, ['COMMIT']]
  const callerRecord: Step[] = [['caller.key', tenantId, keyId]]
  // With a key that servers have, so that they fail the message instead of waiting for a process with the key.
  const unreadable = `${keyring.keyIds[0]}.sealed`
  let turn = 0

  return {
    configuration: async () => () => [callerRecord],
    resend: async () => {
      const ids = await seedOtps(storage, keyring, tenant, 2_000, { scope: 'otp_signin', verified: false, userIds })
      return () => {
        const id = ids[turn++ % ids.length]!
        return [callerRecord, framed(['postgres.otp.resend', tenantId, id, 'otp_signin', Date.now(), ulid(Date.now())])]
      }
    },
    challenge: async () => () => {
      const now = Date.now()
      const user = users[turn++ % users.length]!
      const policy = [0, 20, 5, 0, 0, now, now + 600_000, now]
      const otp = [ulid(now), 'reset_password', 'pending', user.id, 0, 'email', user.email, null, unreadable, ...policy]
      return [
        callerRecord,
        framed(['user.findByEmail', tenantId, user.email]),
        framed(['profile.find', tenantId, user.id]),
        framed(['postgres.otp.issue', tenantId, ...otp, ulid(now)]),
      ]
    },
    'profile PATCH': async () => () => {
      const i = turn++ % users.length
      const content = JSON.stringify({ field1: `value ${turn}`, field2: 'another value', field3: 'and one more' })
      const userId = users[i]!.id
      return [
        [['caller.session', tenantId, keyId, sessionIdOf(i)]],
        framed(['profile.find', tenantId, userId]),
        // Without a matching revision, so that nothing changes; finding the row costs the same.
        framed(['profile.replace', tenantId, userId, 'none', '1', content, Date.now(), 0]),
      ]
    },
  }
}
