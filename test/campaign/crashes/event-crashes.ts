import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { TenantryConnectionError, TenantryError } from '../../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { onPostgres, openTestDatabase } from '../../support/databases/open-database.ts'
import type { TestDatabase } from '../../support/databases/test-database.ts'
import { logsIn, verifyStoredLog } from '../../support/events/stored-log.ts'
import { reasonOf } from '../../support/faults/refusal-reasons.ts'
import { type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { until } from '../../support/until.ts'
import { unwatched, withProgress } from '../progress.ts'
import { type Random, seededRandom } from '../seeded-random.ts'

const secrets = { adminKey: 'event-campaign-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const writers = 8
const leastActs = 60
const longestMoreMs = 150
const crashingTenants = 3
const sharedTenants = 10
/** The whole log is verified after so many kills, and at the end. */
const verifyEvery = 10

interface EventCrashReport {
  readonly cycles: number
  /** Acts that were answered, each of which has exactly one event. */
  acknowledged: number
  /** Acts that were answered with 503: the database was busy for too long, as on a machine with much else to do. */
  refused: number
  /** Kills while events were queued. */
  interrupted: number
  batches: number
}

const adminOf = ({ baseUrl }: ServerProcess) => createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })
const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))

/**
 * Repeatedly kills a real server (SIGKILL) while clients act and it seals, and restarts it on the same data: every
 * acknowledged act has exactly one event, every stored act too, and the logs verify from the first event to the last.
 * @param note gets the reason of each refused act
 */
export async function crashSealing(
  cycles: number,
  seed: number,
  note: (text: string) => void,
  watch = unwatched,
): Promise<EventCrashReport> {
  const report = { cycles, acknowledged: 0, refused: 0, interrupted: 0, batches: 0 }
  await onServers(1, async (database, [first], start) => {
    const tenantIds = await addTenants(first!, crashingTenants)
    const acknowledged: string[] = []
    // Ending in order saves the compiled code, with which each restart takes half the time. A killed process saves none.
    await first!.end('SIGTERM')
    let server = await start()
    for (let cycle = 0; cycle < cycles; cycle++) {
      try {
        const random = seededRandom(seed, 'events', cycle)
        const refused = await killWhileSealing(server, tenantIds, acknowledged, random)
        for (const error of refused) note(`seed ${seed}, cycle ${cycle}: ${reasonOf(error, server.output())}`)
        report.refused += refused.length
        if (queued(database) > 0) report.interrupted++
        server = await start()
        await until(() => queued(database) === 0)
        assertOneEventEach(database, acknowledged)
        if (cycle % verifyEvery === 0 || cycle === cycles - 1) report.batches = await assertSound(database)
        watch(cycle + 1, `${acknowledged.length} acknowledged acts checked`)
      } catch (error) {
        const reason = reasonOf(error, server.output())
        throw new Error(`seed ${seed}, cycle ${cycle}: ${(error as Error).message}; ${reason}`, { cause: error })
      }
    }
    report.acknowledged = acknowledged.length
  })
  return report
}

/** Clients act on several processes of one database at once; each event is sealed once. */
export async function sealOnProcesses(processes: number, clients: number, acts: number): Promise<EventCrashReport> {
  const report = { cycles: 0, acknowledged: 0, refused: 0, interrupted: 0, batches: 0 }
  await onServers(processes, async (database, servers) => {
    const tenantIds = await addTenants(servers[0]!, sharedTenants)
    const acknowledged: string[] = []
    await times(clients * processes, async (client) => {
      for (let act = 0; act < acts; act++)
        acknowledged.push(await actOn(servers[client % processes]!, tenantIds[(client + act) % sharedTenants]!))
    })
    await until(() => queued(database) === 0)
    assertOneEventEach(database, acknowledged)
    report.batches = await assertSound(database)
    report.acknowledged = acknowledged.length
  })
  return report
}

/** Runs with servers of one database, and ends those that are running. */
async function onServers(
  count: number,
  run: (database: TestDatabase, servers: ServerProcess[], start: () => Promise<ServerProcess>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-events-'))
  const database = openTestDatabase()
  const started: ServerProcess[] = []
  const start = async () => {
    const server = await startServer(folder, secrets, { DATABASE_URL: database.url })
    started.push(server)
    return server
  }
  try {
    const servers: ServerProcess[] = []
    while (servers.length < count) servers.push(await start())
    await run(database, servers, start)
  } finally {
    for (const server of started)
      if (server.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
    await database.release()
    await rm(folder, { recursive: true, force: true })
  }
}

const addTenants = async (server: ServerProcess, count: number): Promise<string[]> =>
  (await times(count, (index) => adminOf(server).createTenant({ name: `Events ${index}` }))).map(({ id }) => id)

/** Creates a key, whose id the event names. */
const actOn = async (server: ServerProcess, tenantId: string): Promise<string> =>
  (await adminOf(server).createTenantKey({ tenantId }, { name: 'act' })).id

/** @returns the refusals */
async function killWhileSealing(
  server: ServerProcess,
  tenantIds: readonly string[],
  acknowledged: string[],
  random: Random,
): Promise<Error[]> {
  const refused: Error[] = []
  const enough = acknowledged.length + leastActs
  const acting = times(writers, async (writer) => {
    try {
      for (let act = writer; ; act++) {
        const id = await actOn(server, tenantIds[act % crashingTenants]!).catch(unlessBusy)
        if (typeof id === 'string') acknowledged.push(id)
        else refused.push(id)
      }
    } catch (error) {
      if (!(error instanceof TenantryConnectionError)) throw error
    }
  })
  await Promise.race([acting, until(() => acknowledged.length >= enough)])
  await pause(random.below(longestMoreMs))
  await server.end('SIGKILL')
  await acting
  return refused
}

function unlessBusy(error: unknown): TenantryError {
  if (error instanceof TenantryError && error.code === 'SERVICE_UNAVAILABLE') return error
  throw error
}

const queued = (database: TestDatabase): number =>
  Number(database.ask('SELECT COUNT(*) AS count FROM event_queue')[0]!['count'])

/** Every acknowledged key is stored, and every stored key, acknowledged or not, has one event. */
function assertOneEventEach(database: TestDatabase, acknowledged: readonly string[]): void {
  const stored = database.ask("SELECT id FROM tenant_keys WHERE name = 'act' ORDER BY id").map(({ id }) => id)
  const missing = new Set(stored)
  assert.deepEqual(
    acknowledged.filter((id) => !missing.has(id)),
    [],
  )
  const recorded = database
    .ask(
      "SELECT subject_id FROM events WHERE type = 'tenant_key.created' AND subject_id IS NOT NULL ORDER BY subject_id",
    )
    .map((row) => row['subject_id'])
  assert.deepEqual(recorded, stored)
}

/** Every log verifies, with sequences from 1 without a gap; returns the number of batches. */
async function assertSound(database: TestDatabase): Promise<number> {
  let batches = 0
  for (const tenantId of logsIn(database)) {
    const { verified, faults, head } = await verifyStoredLog(database, tenantId)
    assert.deepEqual(faults, [])
    assert.equal(verified.batches, head?.batch)
    const [row] = database.ask(
      'SELECT COUNT(*) AS count, MAX(sequence) AS last, COUNT(DISTINCT id) AS ids FROM events WHERE tenant_id = ?',
      tenantId,
    )
    assert.deepEqual([row!['last'], row!['ids']].map(Number), Array(2).fill(Number(row!['count'])))
    batches += verified.batches
  }
  return batches
}

/**
 * `npm run campaign -- events --cycles 300 --seed 7`; on PostgreSQL with TENANTRY_TEST_POSTGRES_URL, where 64 writers of
 * each of two processes act too.
 */
export async function runEventCrashes({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const begun = performance.now()
  const { acknowledged, refused, interrupted, batches } = await withProgress(
    { name: 'events', unit: 'cycle', total: cycles },
    ({ watch, note }) => crashSealing(cycles, seed, (text) => note(`events  ${text}`), watch),
  )
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(
    `events  ${cycles} cycles of seed ${seed} on ${onPostgres ? 'PostgreSQL' : 'SQLite'} in ${seconds} s: ` +
      `${acknowledged} acknowledged acts with one event each; ${interrupted} kills with queued events; ` +
      `${refused} refused; ${batches} batches verify\n`,
  )
  if (!onPostgres) return
  const together = await sealOnProcesses(2, 64, 50)
  process.stdout.write(
    `events  64 writers × 2 processes, ${sharedTenants} tenants: ${together.acknowledged} acts, each sealed once; ${together.batches} batches verify\n`,
  )
}
