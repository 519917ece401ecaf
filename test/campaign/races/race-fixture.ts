import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseSqliteUrl } from '../../../server/settings/database-settings.ts'
import { onPostgres } from '../../support/databases/open-database.ts'
import type { IdentityProvider } from '../../support/identity-provider.ts'
import { startTestService, type TestService, type TestServiceOptions, type TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { type Barrier, createBarrier } from './barrier.ts'

/** A service on a real socket (two on PostgreSQL, sharing one database) behind a barrier. */
export interface RaceFixture extends AsyncDisposable {
  readonly service: TestService
  /** All services of the fixture. */
  readonly processes: readonly TestService[]
  /** The identity provider that every tenant accepts. */
  readonly google: IdentityProvider
  /** A tenant with these one-time password settings and every method that races use; the same tenant for the same settings. */
  tenantWith(otp?: Record<string, number>): Promise<TestTenant>
  readonly fire: Barrier['fire']
}

/** One round of a race: asserts that the outcome is exactly the expected one. */
export type Round = (fixture: RaceFixture, random: Random) => Promise<void>

/** @param options of the service: limits off unless set, a cheap hash, a stopped clock */
export async function openRaceFixture(
  google: IdentityProvider,
  options: TestServiceOptions = {},
): Promise<RaceFixture> {
  const settings = { identityProviders: google.settings, ...options }
  const service = await startTestService(settings)
  const processes = onPostgres ? [service, await startBeside(service, settings)] : [service]
  const barrier = createBarrier(...processes.map(({ baseUrl }) => baseUrl))
  const tenants = new Map<string, Promise<TestTenant>>()
  const auth = {
    methods: ['password', 'otp', 'guest', 'google'],
    google: { clientIds: [google.clientId] },
    guest: { idleDays: 365 },
  }
  return {
    service,
    processes,
    google,
    tenantWith(otp = {}) {
      const name = JSON.stringify(otp)
      const tenant = tenants.get(name) ?? service.addTenant({ configuration: { auth, otp } })
      tenants.set(name, tenant)
      return tenant
    },
    fire: barrier.fire,
    async [Symbol.asyncDispose]() {
      barrier.close()
      for (const each of processes.toReversed()) await each.close()
    },
  }
}

/** Another process of the deployment. It delivers no messages, so that races know which process does. */
async function startBeside(service: TestService, settings: TestServiceOptions): Promise<TestService> {
  const { database, masterKeys, clock } = service
  const beside = await startTestService({ ...settings, database, masterKeys, clock })
  await beside.service.services.delivery.stop()
  return beside
}

/** A fixture with another process writing to its file; `writes` returns how many times it did (threat D19). */
export async function openRaceFixtureWithOtherWriter(
  google: IdentityProvider,
): Promise<RaceFixture & { writes(): Promise<number> }> {
  const fixture = await openRaceFixture(google)
  const writer: ChildProcess = fork(join(import.meta.dirname, 'other-writer.ts'), [
    parseSqliteUrl(fixture.service.database.url),
  ])
  await once(writer, 'message')
  return {
    ...fixture,
    async writes() {
      writer.send('how many?')
      const [writes] = await once(writer, 'message')
      return writes
    },
    async [Symbol.asyncDispose]() {
      writer.kill('SIGKILL')
      await once(writer, 'exit')
      await fixture[Symbol.asyncDispose]()
    },
  }
}

/** An array of `count` items, each made from its index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
