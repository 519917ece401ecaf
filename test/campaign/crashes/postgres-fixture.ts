import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createTenantryAdmin, TenantryError } from '../../../packages/client/src/admin.ts'
import { createPasswordHasher } from '../../../server/passwords/password-hasher.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import type { PostgresNode } from '../../support/databases/standby.ts'
import { type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { until } from '../../support/until.ts'
import { seededRandom } from '../seeded-random.ts'
import type { AccountLog } from './account-log.ts'
import { copyDatabase } from './copied-database.ts'
import { assertNothingElse, assertSoundRows, settleAccount } from './crash-invariants.ts'
import { createMixedLoad, type MixedLoad } from './mixed-load.ts'
import { createObserver, type Observer } from './observed-service.ts'

const secrets = { adminKey: 'failover-campaign-admin-key-of-32-chars', masterKeys: generateMasterKeys(0) }
const clientsEach = 4

/** Processes of the service on PostgreSQL, observed and under load. */
export interface PostgresFixture {
  readonly servers: readonly ServerProcess[]
  readonly observers: readonly Observer[]
  readonly load: MixedLoad
  /** Runs the load until it is stopped. */
  run(seed: number): { stop(): Promise<void> }
  /** Resolves when this many more writes were acknowledged. */
  acknowledged(more: number): Promise<void>
  /** Resolves when each process has acknowledged a write after this time, with each one's delay in milliseconds. */
  recovered(since: number): Promise<number[]>
  /** Checks that the rows of this server match the answers that clients got (invariants I1 to I6). */
  settle(node: PostgresNode): Promise<Unacknowledged>
  /** Checks that no process ended, every request was answered, and `GET /healthz` always returned 200. */
  assertAlive(): void
}

/** Writes that were refused with 5xx, or requested and never sent: stored as a whole, or not at all. */
export interface Unacknowledged {
  readonly stored: number
  readonly notStored: number
}

/** Starts a number of processes on the database, and ends them after the work. */
export async function withPostgresFixture<T>(
  databaseUrl: string,
  processes: number,
  work: (fixture: PostgresFixture) => Promise<T>,
): Promise<T> {
  const servers: ServerProcess[] = []
  const observers: Observer[] = []
  try {
    for (let index = 0; index < processes; index++) {
      servers.push(await startServer('', secrets, { DATABASE_URL: databaseUrl }))
    }
    observers.push(...servers.map(({ baseUrl }) => createObserver(baseUrl)))
    return await work(createFixture(servers, observers, await addTenant(servers[0]!.baseUrl)))
  } finally {
    for (const observer of observers) observer.stop()
    for (const { process, end } of servers) if ((process.exitCode ?? process.signalCode) === null) await end('SIGKILL')
  }
}

async function addTenant(baseUrl: string): Promise<string> {
  const admin = createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Failover' })
  const otp = { length: 10, ttlSeconds: 3600, resendIntervalSeconds: 0, maxResends: 20 }
  await admin.updateConfiguration({ tenantId }, { otp })
  await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'counter', type: 'integer' }] })
  return (await admin.createTenantKey({ tenantId }, {})).key
}

function createFixture(
  servers: readonly ServerProcess[],
  observers: readonly Observer[],
  tenantKey: string,
): PostgresFixture {
  const load = createMixedLoad()
  /** Accounts whose write was refused with 503, which guarantees that it was not stored. */
  const undone = new Set<AccountLog>()

  function survives(error: unknown, account: AccountLog | undefined): boolean {
    if (!(error instanceof TenantryError) || error.status < 500) return false
    if (error.status === 503 && account !== undefined) undone.add(account)
    return true
  }

  return {
    servers,
    observers,
    load,
    run(seed) {
      const running = Promise.all(
        servers.map(({ baseUrl }, index) => {
          const target = { baseUrl, tenantKey, adminKey: secrets.adminKey, fetch: observers[index]!.fetch, survives }
          return load.run(target, clientsEach, seededRandom(seed, 'PostgreSQL', index))
        }),
      )
      running.catch(() => {})
      return {
        async stop() {
          for (const observer of observers) observer.stop()
          await running
        },
      }
    },
    async acknowledged(more) {
      const enough = load.acknowledged + more
      const deadline = performance.now() + 30_000
      while (load.acknowledged < enough) {
        assert.ok(performance.now() < deadline, `${load.acknowledged} writes, expected ${enough}`)
        await pause(5)
      }
    },
    async recovered(since) {
      const first = (observer: Observer) => observer.writes.find((at) => at > since)
      await Promise.all(observers.map((observer) => until(() => first(observer) !== undefined, 20_000)))
      return observers.map((observer) => first(observer)! - since)
    },
    async settle(node) {
      using database = await copyDatabase(node)
      const hasher = createPasswordHasher()
      const counts = { stored: 0, notStored: 0 }
      for (const log of load.accounts) {
        const act = log.open?.kind
        const happened = await settleAccount(database, log, hasher)
        if (happened !== null) counts[happened ? 'stored' : 'notStored']++
        if (undone.has(log)) assert.notEqual(happened, true, `answered with 503, but stored: ${act}`)
      }
      assertSoundRows(database)
      assertNothingElse(database, load)
      return counts
    },
    assertAlive() {
      const ends = servers.map(({ process }) => process.exitCode ?? process.signalCode)
      assert.deepEqual(new Set(ends), new Set([null]), 'a process ended')
      for (const observer of observers) {
        assert.deepEqual(observer.lost, [], 'requests without an answer')
        assert.deepEqual(observer.liveness, [200], 'GET /healthz')
      }
    },
  }
}
