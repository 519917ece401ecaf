import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ulid } from '../server/core/ids.ts'
import { codeContext } from '../server/otp/otp.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
// Registers the statements.
import '../server/storage/postgres/postgres-storage.ts'
import { registeredStatements } from '../server/storage/statement.ts'
import { otps } from '../server/storage/stores/otps.ts'
import { progressOf } from '../server/storage/stores/outbox-columns.ts'
import { freePort } from '../test/support/free-port.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Child, startArguments, startChild } from './child.ts'
import { drive, type Load } from './load.ts'
import { prepareRound } from './measure.ts'
import { emailOf, otpIdOf, type People, sessionIdOf, spread, storedOtp, userIdOf, userOfSession } from './people.ts'
import { postgresRows } from './rows.ts'
import type { Scenario } from './scenario.ts'
import { type Subject, scenariosOf } from './scenarios.ts'
import { seedPeople } from './seed.ts'
import { median, row } from './table.ts'
import { createBenchTenant } from './tenant.ts'

/** The duration, and the PostgreSQL server; by default the bench starts one. */
interface PostgresBenchOptions extends People {
  readonly rounds: number
  readonly seconds: number
  readonly only: string
}

const connections = 64
/** Connections of one process, the service's default. */
const poolSize = 10
const adminKey = 'bench-admin-key-of-at-least-32-characters'
const target = 0.85

/** A registered statement with its parameters. */
type Step = readonly [name: string, ...parameters: unknown[]]
/** The round trips of one request; the statements of each are sent together. */
type Trips = () => readonly (readonly Step[])[]

/**
 * `npm run bench -- postgres`: compares the service in one and in two processes to a loop over `pg` that sends the
 * same statements in the same round trips and does nothing else.
 */
export async function benchPostgres({ rounds, seconds, only, users, sessions }: PostgresBenchOptions): Promise<void> {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const masterKeys = generateMasterKeys(Date.now())
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
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
        TENANTRY_PUBLIC_URL: baseUrl,
        HOST: '127.0.0.1',
      },
      '/healthz',
    )
  const children = [await start(port), await start(await freePort())]
  const rows = await postgresRows(url)
  const pool = new pg.Pool({ connectionString: url, max: 2 * poolSize, pipeline: true } as pg.PoolConfig)
  // Like the connections of the service.
  pool.on('connect', (client) => client.query('SET plan_cache_mode = force_generic_plan'))
  try {
    const tenant = await createBenchTenant(baseUrl, adminKey)
    const keyring = createKeyring(masterKeys)
    const people = { users, sessions: Math.min(users, sessions) }
    const subject: Subject = {
      ...{ baseUrl, tenant, people, rows },
      sealCode: (code, { id, scope, recipient }) =>
        keyring.seal(code, codeContext(tenant.tenantId, id, scope, recipient)),
    }
    await seedPeople(subject)
    const scenarios = (await scenariosOf(subject)).filter(({ name }) => name.includes(only))

    console.log(
      `\nNode ${process.version}, ${availableParallelism()} cores shared with PostgreSQL, ${connections} connections, ${rounds} rounds of ${seconds} s each, fsync off, row-level security on\n`,
    )
    console.log(row('', '1 process', '2 processes', 'database', 'ratio 1', 'ratio 2', 'target', 'p50 ms'))
    for (const [name, trips] of Object.entries(tripsOf(subject, keyring.keyIds[0]!))) {
      const scenario = scenarios.find((one) => one.name === name || one.name.startsWith(`${name},`))
      if (scenario) await measure(scenario, trips())
    }
  } finally {
    await pool.end()
    await rows.close()
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
    const next = await prepareRound(scenario, { connections, seconds })
    await untilIdle()
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

  /** Messages of the round before are not part of the next one. */
  async function untilIdle(): Promise<void> {
    const due = 'SELECT EXISTS (SELECT FROM outbox WHERE due_at IS NOT NULL) AS due'
    while ((await pool.query<{ due: boolean }>(due)).rows[0]?.due) await sleep(50)
  }

  /** Requests per second that the connections of one process allow. */
  async function databaseAlone(trips: Trips): Promise<number> {
    const clients = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()))
    const end = performance.now() + seconds * 1000
    const start = performance.now()
    let done = 0
    await Promise.all(
      clients.map(async (client) => {
        try {
          for (; performance.now() < end; done++) {
            for (const trip of trips()) await Promise.all(trip.map((step) => client.query(queryOf(step))))
          }
        } finally {
          // `pool.end()` waits for it, also after an error.
          client.release()
        }
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
function tripsOf({ tenant, people }: Subject, masterKeyId: string): Record<string, () => Trips> {
  const { tenantId } = tenant
  const keyId = tenant.tenantKey.split('_')[2]!
  const nextUser = spread(people.users)
  const nextSession = spread(people.sessions)
  // Setting the tenant requires a transaction here; reads of the service need none (docs/decisions/0022-pipelined-queries.md).
  const framed = (...steps: Step[]): Step[] => [['BEGIN'], ['postgres.enterTenant', tenantId], ...steps, ['COMMIT']]
  const callerRecord: Step[] = [['caller.key', tenantId, keyId]]
  // With a key that servers have, so that they fail the message instead of waiting for a process with the key.
  const unreadable = `${masterKeyId}.sealed`
  let turn = 0

  return {
    configuration: () => () => [callerRecord],
    resend: () => () => {
      const now = Date.now()
      const otp = [tenantId, otpIdOf(nextUser()), 'otp_signin', now]
      return [callerRecord, framed(['postgres.otp.resend', ...otp, ...newMessage(now)])]
    },
    challenge: () => () => {
      const now = Date.now()
      const user = nextUser()
      const otp = storedOtp({ id: ulid(now), user, scope: 'reset_password' }, unreadable, now)
      return [
        callerRecord,
        framed(['user.findByEmail', tenantId, emailOf(user)]),
        framed(['profile.find', tenantId, userIdOf(user)]),
        framed(['postgres.otp.issue', tenantId, ...otps.values(otp), ...newMessage(now)]),
      ]
    },
    'profile PATCH': () => () => {
      const session = nextSession()
      const content = JSON.stringify({ field1: `value ${turn++}`, field2: 'another value', field3: 'and one more' })
      const userId = userIdOf(userOfSession(session, people))
      return [
        [['caller.session', tenantId, keyId, sessionIdOf(session)]],
        framed(['profile.find', tenantId, userId]),
        // Without a matching revision, so that nothing changes; finding the row costs the same.
        framed(['profile.replace', tenantId, userId, 'none', content, Date.now(), 0, null]),
      ]
    },
  }
}

/** The parameters of a message that a worker is to claim. */
function newMessage(now: number): (string | number | null)[] {
  const id = ulid(now)
  const { state, attempts, dueAt, leaseOwner } = progressOf({ id, lease: null }, { lastSentAt: now })
  return [id, state, attempts, dueAt, leaseOwner]
}
