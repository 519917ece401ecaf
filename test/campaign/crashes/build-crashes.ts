import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { createTenantryAdmin, type TenantryAdmin } from '../../../packages/client/src/admin.ts'
import { TenantryConnectionError, TenantryError } from '../../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { onPostgres, openTestDatabase } from '../../support/databases/open-database.ts'
import type { TestDatabase } from '../../support/databases/test-database.ts'
import { type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { importInto } from '../../support/import-into.ts'
import { until } from '../../support/until.ts'
import { unwatched, withProgress } from '../progress.ts'
import { times } from '../races/race-fixture.ts'
import { type Random, seededRandom } from '../seeded-random.ts'
import { checkIndex, checkLeftovers, isBuilding, nicksOf, type Site } from './build-invariants.ts'

const secrets = { adminKey: 'build-campaign-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const users = 400
const writers = 4
/** Of a value that another user has, or after a lost race on a busy machine. */
const refusals = ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE']

/**
 * What users do while a version is built. `taking`: they also take each other's values, which the current version
 * allows, so that the build may fail. `duplicates`: two users have equal values before it.
 */
const kinds = ['calm', 'calm', 'duplicates', 'taking'] as const

/** The results of a campaign. */
interface BuildCrashReport {
  readonly cycles: number
  /** Cycles in which the server died during the build. */
  interrupted: number
  current: number
  failed: number
  /** Updates of profiles that were answered with 200. */
  writes: number
}

const nick = { name: 'nick', type: 'text' } as const
const plain: ProfileSchemaInput = { components: [nick] }
const unique = (searchable: boolean): ProfileSchemaInput => ({ components: [{ ...nick, unique: true, searchable }] })

/**
 * Repeatedly kills a real server (SIGKILL) while it builds a version with a newly unique field and users write, and
 * restarts it on the same data: each build is completed, and the index then has exactly the stored values.
 */
export async function crashBuilds(cycles: number, seed: number, watch = unwatched): Promise<BuildCrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-build-'))
  const database = openTestDatabase()
  const start = () => startServer(folder, secrets, { DATABASE_URL: database.url })
  const report = { cycles, interrupted: 0, current: 0, failed: 0, writes: 0 }
  let server = await start()
  try {
    const site = await addSite(database, server)
    let buildMs = (await measureBuild(site, server)) / 2
    for (let cycle = 0; cycle < cycles; cycle++) {
      const random = seededRandom(seed, 'build', cycle)
      const kind = kinds[cycle % kinds.length]!
      try {
        await makeDistinct(site, server, cycle)
        if (kind === 'duplicates') await setNick(site, server, 0, nickOf(site, 1).toUpperCase())
        const killed = await killDuringBuild(site, server, { kind, cycle, random, buildMs })
        report.writes += killed.writes
        if (killed.isBuilding) report.interrupted++
        // The kills stay within the build on slower and faster machines.
        buildMs = Math.max(10, buildMs * (killed.isBuilding ? 1.05 : 0.9))
        server = await start()
        // An operator without an answer repeats the request.
        if (killed.isBuilding) await adminOf(server).publishProfileSchema({ tenantId: site.tenantId }, killed.schema)
        const writing = write(site, server, { kind, prefix: `after ${cycle}`, random }, () => isBuilding(site))
        await until(() => !isBuilding(site))
        report.writes += await writing
        const isCurrent = checkIndex(site)
        if (kind !== 'taking') assert.equal(isCurrent, kind === 'calm')
        report[isCurrent ? 'current' : 'failed']++
        watch(cycle + 1, `${report.current + report.failed} builds and ${report.writes} writes checked`)
      } catch (error) {
        throw new Error(`seed ${seed}, cycle ${cycle}: ${(error as Error).message}`, { cause: error })
      }
    }
    await server.end('SIGTERM')
    await checkLeftovers(site, secrets.masterKeys)
    return report
  } finally {
    if (server.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
    await database.release()
    await rm(folder, { recursive: true, force: true })
  }
}

const adminOf = ({ baseUrl }: ServerProcess): TenantryAdmin =>
  createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })

async function addSite(database: TestDatabase, server: ServerProcess): Promise<Site> {
  const admin = adminOf(server)
  const { id: tenantId } = await admin.createTenant({ name: 'Builds' })
  await admin.publishProfileSchema({ tenantId }, plain)
  const rows = times(users, (index) => ({ email: `${index}@build.example`, profile: { nick: `nick ${index}` } }))
  await importInto({ admin }, { tenantId }, rows)
  const stored = database.ask('SELECT user_id FROM profiles WHERE tenant_id = ? ORDER BY user_id', tenantId)
  return { database, tenantId, userIds: stored.map((row) => String(row['user_id'])) }
}

/** Milliseconds of a build that nothing interrupts. */
async function measureBuild({ tenantId }: Site, server: ServerProcess): Promise<number> {
  const begun = performance.now()
  const { state } = await adminOf(server).publishProfileSchema({ tenantId }, unique(true))
  assert.equal(state, 'current')
  return performance.now() - begun
}

const nickOf = (site: Site, user: number): string => nicksOf(site).get(site.userIds[user]!)!

const setNick = ({ tenantId, userIds }: Site, server: ServerProcess, user: number, value: string) =>
  adminOf(server).updateUserProfile({ tenantId, userId: userIds[user]! }, { nick: value })

/** Publishes a version without the unique field, and gives each user another value. */
async function makeDistinct(site: Site, server: ServerProcess, cycle: number): Promise<void> {
  await adminOf(server).publishProfileSchema({ tenantId: site.tenantId }, plain)
  const taken = new Set<string>()
  const nicks = nicksOf(site)
  for (const [user, id] of site.userIds.entries()) {
    const value = nicks.get(id)!.toLowerCase()
    if (taken.has(value)) await setNick(site, server, user, `distinct ${cycle} ${user}`)
    taken.add(value)
  }
}

interface Cycle {
  readonly kind: (typeof kinds)[number]
  readonly cycle: number
  readonly random: Random
  readonly buildMs: number
}

/** Publishes a version with the unique field, and kills the server at a random moment of its build. */
async function killDuringBuild(site: Site, server: ServerProcess, { kind, cycle, random, buildMs }: Cycle) {
  let isOver = false
  const writing = write(site, server, { kind, prefix: `during ${cycle}`, random }, () => !isOver)
  const schema = unique(random.next() < 0.5)
  const publishing = adminOf(server)
    .publishProfileSchema({ tenantId: site.tenantId }, schema)
    .catch(() => null)
    .finally(() => {
      isOver = true
    })
  await until(() => isOver || isBuilding(site))
  await Promise.race([pause(random.next() * buildMs), publishing])
  await server.end('SIGKILL')
  isOver = true
  await publishing
  return { schema, writes: await writing, isBuilding: isBuilding(site) }
}

/** Several clients update profiles until `goesOn` is false or the server dies; returns the number of acknowledged updates. */
async function write(
  site: Site,
  server: ServerProcess,
  { kind, prefix, random }: Pick<Cycle, 'kind' | 'random'> & { readonly prefix: string },
  goesOn: () => boolean,
): Promise<number> {
  let written = 0
  const writer = async (index: number) => {
    for (let count = 0; goesOn(); count++) {
      // The first two users have equal values in some cycles, and keep them.
      const user = 2 + random.below(users - 2)
      const isTaking = kind === 'taking' && random.next() < 0.1
      const value = isTaking ? `NICK ${random.below(users)}` : `${prefix} ${index} ${count}`
      try {
        await setNick(site, server, user, value)
        written++
      } catch (error) {
        if (error instanceof TenantryConnectionError) return
        if (!(error instanceof TenantryError && refusals.includes(error.code))) throw error
      }
      await pause(1)
    }
  }
  await Promise.all(times(writers, writer))
  return written
}

/** `npm run campaign -- build --cycles 100 --seed 7`; on PostgreSQL with TENANTRY_TEST_POSTGRES_URL. */
export async function runBuildCrashes({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const begun = performance.now()
  const steps = { name: 'build', unit: 'cycle', total: cycles }
  const report = await withProgress(steps, ({ watch }) => crashBuilds(cycles, seed, watch))
  const { interrupted, current, failed, writes } = report
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(
    `build  ${cycles} cycles of seed ${seed} on ${onPostgres ? 'PostgreSQL' : 'SQLite'} in ${seconds} s: ` +
      `${interrupted} killed during the build, ${current} versions current, ${failed} failed; ${writes} writes; ` +
      'each index has exactly the stored values\n',
  )
}
