import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../../packages/client/src/index.ts'
import { createPasswordHasher } from '../../../server/passwords/password-hasher.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { createLosingDisk, type LosingDisk } from '../../support/faults/losing-disk.ts'
import { databaseIn, describeServer, type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { until } from '../../support/until.ts'
import { unwatched, type Watch, withProgress } from '../progress.ts'
import { type Random, seededRandom } from '../seeded-random.ts'
import type { AccountLog } from './account-log.ts'
import { assertNoSecrets, assertNothingElse, assertSoundRows, settleAccount } from './crash-invariants.ts'
import { createMixedLoad, type LoadTarget, type MixedLoad } from './mixed-load.ts'

const secrets = { adminKey: 'crash-campaign-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const clients = 8
const leastWritesACycle = 100
const longestMoreMs = 250

/** The results of a campaign. */
interface CrashReport {
  readonly cycles: number
  readonly acknowledgedWrites: number
  /** Writes that were in progress when the server died: stored as a whole, or not at all. */
  readonly unanswered: { stored: number; notStored: number }
  /** File writes that were not followed by an fsync when the power was lost. */
  readonly unsynced: number
  /** The time of each restart, from process start to the first 200 of `GET /readyz`, in milliseconds. */
  readonly readyMs: readonly number[]
  /** The same of a restart in order, before the first kill. */
  readonly orderlyMs: number
}

/**
 * Repeatedly kills a real server under load (SIGKILL) at a random moment, restarts it on the same data, and checks the
 * invariants I1 to I8 against the answers its clients got (threat G01).
 */
export async function crashOverAndOver(cycles: number, seed: number, watch = unwatched): Promise<CrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-crash-'))
  return crashIn({ folder, disk: null, cycles, seed, watch })
}

/**
 * Like `crashOverAndOver`, but the machine loses its power too: writes without an fsync are lost, wholly or in
 * part.
 * @param lies see `createLosingDisk`
 * @returns the reason when this machine cannot run it
 */
export async function losePowerOverAndOver(
  cycles: number,
  seed: number,
  { lies = false, watch = unwatched } = {},
): Promise<CrashReport | string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-power-'))
  const disk = await createLosingDisk(folder, lies)
  if (typeof disk !== 'string') return crashIn({ folder, disk, cycles, seed, watch })
  await rm(folder, { recursive: true })
  return disk
}

interface Crashing {
  readonly folder: string
  readonly disk: LosingDisk | null
  readonly cycles: number
  readonly seed: number
  readonly watch: Watch
}

async function crashIn({ folder, disk, cycles, seed, watch }: Crashing): Promise<CrashReport> {
  let unsynced = 0
  const load = createMixedLoad()
  const readyMs: number[] = []
  const unanswered = { stored: 0, notStored: 0 }
  let server = await startServer(folder, secrets, disk?.environment)
  try {
    const tenantKey = await addTenant(server.baseUrl)
    // Ending in order saves the compiled code, with which each restart takes half the time. A killed process saves none.
    await server.end('SIGTERM')
    server = await startServer(folder, secrets, disk?.environment)
    const orderlyMs = server.readyMs
    const checked = { databasePath: databaseIn(folder), load, tenantKey, unanswered, searched: new Map() }
    for (let cycle = 0; cycle < cycles; cycle++) {
      const random = seededRandom(seed, 'crash', cycle)
      try {
        await killUnderLoad(server, load, { baseUrl: server.baseUrl, tenantKey, adminKey: secrets.adminKey }, random)
        unsynced += disk?.losePower(random) ?? 0
        server = await startServer(folder, secrets, disk?.environment)
        readyMs.push(server.readyMs)
        await checkInvariants(checked)
        await checkDelivery(databaseIn(folder), server, tenantKey)
        watch(cycle + 1, `${load.acknowledged} acknowledged writes checked`)
      } catch (error) {
        const state = await describeServer(server)
        throw new Error(`seed ${seed}, cycle ${cycle}: ${(error as Error).message}; ${state}`, { cause: error })
      }
    }
    return { cycles, acknowledgedWrites: load.acknowledged, unanswered, unsynced, readyMs, orderlyMs }
  } finally {
    if (server.process.exitCode === null && server.process.signalCode === null) await server.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

async function addTenant(baseUrl: string): Promise<string> {
  const admin = createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Crash' })
  const otp = { length: 10, ttlSeconds: 3600, resendIntervalSeconds: 0, maxResends: 20 }
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] }, otp })
  await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'counter', type: 'integer' }] })
  return (await admin.createTenantKey({ tenantId }, {})).key
}

async function killUnderLoad(
  server: ServerProcess,
  load: MixedLoad,
  target: LoadTarget,
  random: Random,
): Promise<void> {
  const enough = load.acknowledged + leastWritesACycle
  const running = load.run(target, clients, random)
  running.catch(() => undefined)
  while (load.acknowledged < enough && !(await isOver(running))) await pause(5)
  await pause(random.below(longestMoreMs))
  await server.end('SIGKILL')
  await running
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Awaits a load that failed before the kill, which throws its error. */
const isOver = (running: Promise<void>): Promise<boolean> =>
  Promise.race([
    running.then(
      () => true,
      () => true,
    ),
    pause(0).then(() => false),
  ])

/** What is checked after each kill, and what the checks before have found. */
interface Checked {
  readonly databasePath: string
  readonly load: MixedLoad
  readonly tenantKey: string
  readonly unanswered: CrashReport['unanswered']
  /** The bytes of each file, as in `assertNoSecrets`. */
  readonly searched: Map<string, Buffer>
}

async function checkInvariants({ databasePath, load, tenantKey, unanswered, searched }: Checked): Promise<void> {
  using database = new DatabaseSync(databasePath, { readOnly: true, timeout: 5000 })
  const hasher = createPasswordHasher()
  // Skips accounts without a request since the last check, which would take half of a campaign.
  const touched = load.accounts.filter((log) => log.open !== null || log.checked !== log.account)
  const settle = async (log: AccountLog) => {
    const stored = await settleAccount(database, log, hasher)
    if (stored !== null) unanswered[stored ? 'stored' : 'notStored']++
    log.checked = log.account
  }
  await Promise.all(touched.map(settle))
  assertSoundRows(database)
  assertNothingElse(database, load)
  assertNoSecrets(databasePath, [tenantKey, secrets.adminKey, ...load.secrets], searched)
  load.secrets.clear()
}

/** After the restart every message of a pending OTP is delivered, including those whose delivery was interrupted. */
async function checkDelivery(databasePath: string, { baseUrl }: ServerProcess, tenantKey: string): Promise<void> {
  using database = new DatabaseSync(databasePath, { timeout: 5000 })
  const waiting = (state: string) =>
    database
      .prepare(
        `SELECT outbox.id FROM outbox JOIN otps ON otps.id = outbox.otp_id
         WHERE otps.state = 'pending' AND outbox.state IN (${state})`,
      )
      .all()
  await until(() => waiting("'queued'").length === 0, 5_000)
  // The leases of the dead process would expire in half a minute; this expires them now.
  database.prepare("UPDATE outbox SET due_at = 0 WHERE state = 'sending'").run()
  const app = createTenantryClient({ baseUrl, tenantKey })
  // On a busy machine the checks before take longer than the server keeps an idle connection; a failed request drops it.
  await fetch(`${baseUrl}/healthz`).catch(() => null)
  // A new message wakes the outbox worker before its next poll.
  await app.issueOtp({ scope: 'otp_signin', email: 'waker@example.com' })
  await until(() => waiting("'queued', 'sending'").length === 0, 5_000)
  const unseen = database
    .prepare(
      `SELECT otps.id FROM otps WHERE state = 'pending' AND 1 + resend_count >
       (SELECT COUNT(*) FROM outbox WHERE outbox.otp_id = otps.id AND place IS NOT NULL)`,
    )
    .all()
  assert.deepEqual(unseen, [], 'pending OTPs without a message in the inbox')
}

/** `npm run campaign -- crash --cycles 1000 --seed 7`. */
export async function runCrashes({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const begun = performance.now()
  const steps = { name: 'crash', unit: 'cycle', total: cycles }
  const report = await withProgress(steps, ({ watch }) => crashOverAndOver(cycles, seed, watch))
  print('crash', seed, begun, report)
}

/** `npm run campaign -- power --cycles 1000 --seed 7`. */
export async function runPowerLosses({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const begun = performance.now()
  const steps = { name: 'power', unit: 'cycle', total: cycles }
  const report = await withProgress(steps, ({ watch }) => losePowerOverAndOver(cycles, seed, { watch }))
  if (typeof report === 'string') process.stdout.write(`power  skipped: ${report}\n`)
  else print('power', seed, begun, report)
}

function print(name: string, seed: number, begun: number, report: CrashReport): void {
  const { cycles, acknowledgedWrites, unanswered, unsynced, readyMs } = report
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(
    `${name}  ${cycles} cycles of seed ${seed} in ${seconds} s: ${acknowledgedWrites} acknowledged writes, none lost; ` +
      `${unanswered.stored} unanswered ones stored, ${unanswered.notStored} not; ${unsynced} file writes without fsync; ` +
      `slowest restart ${Math.max(...readyMs).toFixed(0)} ms\n`,
  )
}
