import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { createTenantryAdmin, TenantryError } from '../../../packages/client/src/admin.ts'
import { createPasswordHasher } from '../../../server/passwords/password-hasher.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { createFailingDisk, type DiskFault, type FailingDisk } from '../../support/faults/failing-disk.ts'
import { databaseIn, type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { until } from '../../support/until.ts'
import { unwatched, withProgress } from '../progress.ts'
import { type Random, seededRandom } from '../seeded-random.ts'
import type { AccountLog } from './account-log.ts'
import { assertNothingElse, assertSoundRows, settleAccount } from './crash-invariants.ts'
import { createMixedLoad, type LoadTarget, type MixedLoad } from './mixed-load.ts'

const secrets = { adminKey: 'disk-campaign-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const faults: readonly DiskFault[] = ['one fsync', 'write EIO', 'write ENOSPC', 'write EROFS']
const clients = 8
const leastWrites = 40
/** The time within which README and the guide promise an exit after a failed fsync. */
const exitMs = 5_000

/** The results of a campaign. */
interface DiskReport {
  readonly cycles: number
  readonly acknowledgedWrites: number
  /** Writes answered with 503: none was stored. */
  refused: number
  /** Writes answered with 500 or not at all: stored as a whole, or not. */
  readonly unknown: { stored: number; notStored: number }
  /** From each failed fsync to the exit, in milliseconds. */
  readonly exitsMs: readonly number[]
}

/**
 * Makes the disk of a loaded server fail at a random moment, with each fault in turn. After a failed fsync the process
 * exits with code 1 and is restarted; after any other fault it recovers by itself and is then killed. Each time the rows
 * are compared with the answers: acknowledged writes are stored, writes refused with 503 are not.
 */
export async function failDisks(cycles: number, seed: number, watch = unwatched): Promise<DiskReport | string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-disk-campaign-'))
  let server: ServerProcess | null = null
  try {
    const disk = await createFailingDisk(folder)
    if (typeof disk === 'string') return disk
    const load = createMixedLoad()
    const report = { refused: 0, unknown: { stored: 0, notStored: 0 } }
    const exitsMs: number[] = []
    server = await startServer(folder, secrets, disk.environment)
    const tenantKey = await addTenant(server.baseUrl)
    for (let cycle = 0; cycle < cycles; cycle++) {
      const fault = faults[cycle % faults.length]!
      try {
        const undone = new Set<AccountLog>()
        const target = targetOf(server, tenantKey, undone)
        const exitedMs = await failUnderLoad({ server, disk, load, target, fault }, seededRandom(seed, 'disk', cycle))
        if (exitedMs !== null) exitsMs.push(exitedMs)
        await checkRows(databaseIn(folder), load, undone, report)
        server = await startServer(folder, secrets, disk.environment)
        watch(cycle + 1, `${load.acknowledged} acknowledged and ${report.refused} refused writes checked`)
      } catch (error) {
        throw new Error(`seed ${seed}, cycle ${cycle}, ${fault}: ${(error as Error).message}`, { cause: error })
      }
    }
    return { cycles, acknowledgedWrites: load.acknowledged, ...report, exitsMs }
  } finally {
    if (server?.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

async function addTenant(baseUrl: string): Promise<string> {
  const admin = createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Disk' })
  const otp = { length: 10, ttlSeconds: 3600, resendIntervalSeconds: 0, maxResends: 20 }
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] }, otp })
  await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'counter', type: 'integer' }] })
  return (await admin.createTenantKey({ tenantId }, {})).key
}

/** Clients that continue after 503 and after an unknown outcome; any other refusal of a write ends the campaign. */
function targetOf({ baseUrl }: ServerProcess, tenantKey: string, undone: Set<AccountLog>): LoadTarget {
  return {
    baseUrl,
    tenantKey,
    adminKey: secrets.adminKey,
    survives(error, account) {
      if (!(error instanceof TenantryError)) return false
      if (error.code === 'SERVICE_UNAVAILABLE') {
        if (account !== undefined) undone.add(account)
        return true
      }
      return error.code === 'INTERNAL_SERVER'
    },
  }
}

interface Failing {
  readonly server: ServerProcess
  readonly disk: FailingDisk
  readonly load: MixedLoad
  readonly target: LoadTarget
  readonly fault: DiskFault
}

/** Resolves when the process has ended, with the milliseconds from a failed fsync to the exit, or null for another fault. */
async function failUnderLoad({ server, disk, load, target, fault }: Failing, random: Random): Promise<number | null> {
  const ended = once(server.process, 'exit') as Promise<[number | null]>
  const running = load.run(target, clients, random)
  running.catch(() => {})
  await acknowledged(load, leastWrites)
  await pause(random.below(100))
  const begun = performance.now()
  disk.fail(fault)
  let exitedMs: number | null = null
  if (fault === 'one fsync') {
    const [code] = await ended
    exitedMs = performance.now() - begun
    assert.equal(code, 1, 'exit code')
    assert.ok(exitedMs < exitMs, `exited after ${exitedMs} ms`)
  } else {
    const isReady = async () => (await fetch(`${server.baseUrl}/readyz`)).ok
    await until(async () => !(await isReady()), 5_000)
    await pause(random.below(200))
    disk.fail('none')
    await until(isReady, 5_000)
    await acknowledged(load, leastWrites)
    await server.end('SIGKILL')
  }
  await running
  return exitedMs
}

async function acknowledged(load: MixedLoad, more: number): Promise<void> {
  const enough = load.acknowledged + more
  await until(() => load.acknowledged >= enough)
}

async function checkRows(
  path: string,
  load: MixedLoad,
  undone: ReadonlySet<AccountLog>,
  report: Pick<DiskReport, 'refused' | 'unknown'>,
): Promise<void> {
  using database = new DatabaseSync(path, { timeout: 5000 })
  const hasher = createPasswordHasher()
  for (const log of load.accounts.filter((each) => each.open !== null || each.checked !== each.account)) {
    const act = log.open?.kind
    const happened = await settleAccount(database, log, hasher)
    if (undone.has(log)) {
      assert.equal(happened, false, `answered with 503, but stored: ${act}`)
      report.refused++
    } else if (happened !== null) report.unknown[happened ? 'stored' : 'notStored']++
    log.checked = log.account
  }
  assertSoundRows(database)
  assertNothingElse(database, load)
}

/** The report as one line. */
export function describeDisks({ cycles, acknowledgedWrites, refused, unknown, exitsMs }: DiskReport): string {
  const slowest = Math.max(0, ...exitsMs).toFixed(0)
  return (
    `${cycles} cycles: ${acknowledgedWrites} acknowledged writes, none lost; ${refused} refused with 503, none stored; ` +
    `unknown outcomes: ${unknown.stored} stored, ${unknown.notStored} not; ` +
    `${exitsMs.length} failed fsyncs, slowest exit ${slowest} ms`
  )
}

/** `npm run campaign -- disk --cycles 100 --seed 7`. */
export async function runDisks({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const steps = { name: 'disk', unit: 'cycle', total: cycles }
  const report = await withProgress(steps, ({ watch }) => failDisks(cycles, seed, watch))
  const text = typeof report === 'string' ? `skipped: ${report}` : describeDisks(report)
  process.stdout.write(`disk  seed ${seed}: ${text}\n`)
}
