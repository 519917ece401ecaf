import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { startTestService, type TestService, type TestServiceOptions, type TestTenant } from '../support/service.ts'
import { onPostgres } from '../support/test-database.ts'
import { type Barrier, createBarrier } from './barrier.ts'
import type { Random } from './seeded-random.ts'

/** Where races are run: a service on a real socket and, on PostgreSQL, a second on the same database; a barrier before them. */
export interface RaceFixture extends AsyncDisposable {
  readonly service: TestService
  /** It, and those beside it. */
  readonly processes: readonly TestService[]
  /** Where people have accounts that every tenant takes. */
  readonly google: IdentityProvider
  /** A tenant with these one-time password settings and every method that races use; the same one for the same settings. */
  tenantWith(otp?: Record<string, number>): Promise<TestTenant>
  readonly fire: Barrier['fire']
}

/** One round of a race: asserts that the outcome is exactly the one there must be. */
export type Round = (fixture: RaceFixture, random: Random) => Promise<void>

/** @param options of the service: limits off unless told otherwise, a cheap hash, a clock that stands */
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

/** Another process of the deployment; it sends nothing, so that races know who does. */
async function startBeside(service: TestService, settings: TestServiceOptions): Promise<TestService> {
  const { database, masterKeys, clock } = service
  const beside = await startTestService({ ...settings, database, masterKeys, clock })
  await beside.service.services.delivery.stop()
  return beside
}

/** A fixture on whose file another process writes all the while; `writes` tells how often it did (threat D19). */
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

/** `count` of something made one by one from its place. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
