import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeContext } from '../server/otp/otp.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { startPostgres } from '../test/support/databases/postgres-server.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Child, startArguments, startChild } from './child.ts'
import { drive, type Load } from './load.ts'
import { prepareRound } from './measure.ts'
import type { People } from './people.ts'
import { driveDatabase, poolSize, type Trips, tripsOf } from './postgres-trips.ts'
import { postgresRows } from './rows.ts'
import type { Scenario, Subject } from './scenario.ts'
import { scenariosOf } from './scenarios.ts'
import { seedPeople } from './seed.ts'
import { median, row } from './table.ts'
import { adminKey, createBenchTenant } from './tenant.ts'

/** The duration and the stored people. */
interface PostgresBenchOptions extends People {
  readonly rounds: number
  readonly seconds: number
  readonly only: string
}

const connections = 64
const target = 0.85

/** Two processes of the service on one database with people in it, and connections that pass by them. */
interface Served extends AsyncDisposable {
  readonly children: readonly Child[]
  readonly subject: Subject
  /** The key that seals codes. */
  readonly masterKeyId: string
  readonly pool: pg.Pool
}

/**
 * `npm run bench -- postgres`: compares the service in one and in two processes to a loop over `pg` that sends the
 * same statements in the same round trips and does nothing else.
 */
export async function benchPostgres({ only, ...options }: PostgresBenchOptions): Promise<void> {
  const { rounds, seconds } = options
  await using server = await startPostgres()
  await using served = await serveTwice(await server.createDatabase(), options)
  const { subject, masterKeyId } = served
  const scenarios = (await scenariosOf(subject)).filter(({ name }) => name.includes(only))
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores shared with PostgreSQL, ${connections} connections, ${rounds} rounds of ${seconds} s each, fsync off, row-level security on\n`,
  )
  console.log(row('', '1 process', '2 processes', 'database', 'ratio 1', 'ratio 2', 'target', 'p50 ms'))
  for (const [name, trips] of Object.entries(tripsOf(subject, masterKeyId))) {
    const scenario = scenarios.find((one) => one.name === name || one.name.startsWith(`${name},`))
    if (scenario) await compare(served, scenario, trips(), options)
  }
}

async function serveTwice(url: string, { users, sessions }: People): Promise<Served> {
  const masterKeys = generateMasterKeys(Date.now())
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = {
    DATABASE_URL: url,
    TENANTRY_LIMITS: 'all=off',
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: masterKeys,
    // One issuer; otherwise the second process would reject tokens of the first.
    TENANTRY_PUBLIC_URL: baseUrl,
    HOST: '127.0.0.1',
  }
  const start = (at: number) => startChild(at, startArguments, { ...settings, PORT: String(at) }, '/healthz')
  const children = [await start(port), await start(await freePort())]
  const rows = await postgresRows(url)
  const pool = new pg.Pool({ connectionString: url, max: 2 * poolSize, pipeline: true } as pg.PoolConfig)
  // Like the connections of the service.
  pool.on('connect', (client) => client.query('SET plan_cache_mode = force_generic_plan'))
  const close = async () => {
    await pool.end()
    await rows.close()
    await Promise.all(children.map((child) => child.stop()))
  }
  try {
    const tenant = await createBenchTenant(baseUrl)
    const keyring = createKeyring(masterKeys)
    const subject: Subject = {
      ...{ baseUrl, tenant, rows, people: { users, sessions: Math.min(users, sessions) } },
      sealCode: (code, { id, scope, recipient }) =>
        keyring.seal(code, codeContext(tenant.tenantId, id, scope, recipient)),
    }
    await seedPeople(subject)
    return { children, subject, masterKeyId: keyring.keyIds[0]!, pool, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Prints a line: one and two processes, and the database alone, in alternating rounds. */
async function compare(
  { children, pool }: Served,
  scenario: Scenario,
  trips: Trips,
  { rounds, seconds }: Pick<PostgresBenchOptions, 'rounds' | 'seconds'>,
): Promise<void> {
  const [one, two, alone]: [Load[], Load[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    for (const [loads, processes] of [
      [one, children.slice(0, 1)],
      [two, children],
    ] as const) {
      await untilIdle(pool)
      loads.push(await driveProcesses(processes, scenario, seconds))
    }
    alone.push(await driveDatabase(pool, trips, seconds))
  }
  const speed = (loads: readonly Load[]) => median(loads.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0)
  const share = (loads: readonly Load[]) =>
    median(loads.map(({ requestsPerSecond }, index) => requestsPerSecond / alone[index]!)).toFixed(2)
  const p50 = median(one.map((load) => load.p50)).toFixed(1)
  const speeds = [speed(one), speed(two), median(alone).toFixed(0)]
  console.log(row(scenario.name, ...speeds, share(one), share(two), target.toFixed(2), p50))
}

/** Messages of the round before are not part of the next one. */
async function untilIdle(pool: pg.Pool): Promise<void> {
  const due = 'SELECT EXISTS (SELECT FROM outbox WHERE due_at IS NOT NULL) AS due'
  while ((await pool.query<{ due: boolean }>(due)).rows[0]?.due) await sleep(50)
}

/** Sends requests to all processes at once. */
async function driveProcesses(processes: readonly Child[], scenario: Scenario, seconds: number): Promise<Load> {
  const next = await prepareRound(scenario, { connections, seconds })
  const each = connections / processes.length
  const loads = await Promise.all(
    processes.map(({ port }, index) =>
      drive({
        ...{ port, connections: each, seconds, expectedStatus: scenario.status },
        next: (connection, answer) => next(index * each + connection, answer),
      }),
    ),
  )
  const sum = (of: 'requests' | 'requestsPerSecond') => loads.reduce((all, load) => all + load[of], 0)
  return {
    requests: sum('requests'),
    requestsPerSecond: sum('requestsPerSecond'),
    p50: Math.max(...loads.map(({ p50 }) => p50)),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  }
}
