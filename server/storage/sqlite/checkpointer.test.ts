import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createFailingDisk } from '../../../test/support/faults/failing-disk.ts'
import { newTenant, userOf } from '../suite/samples.testkit.ts'
import { Checkpointer } from './checkpointer.ts'
import { DiskHealth } from './disk-health.ts'
import { openTestStorage } from './open-storage.testkit.ts'
import { syncFailure } from './sqlite-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-checkpointer-'))
after(() => rmSync(folder, { recursive: true }))

/** A frame of the log: a page and its header. */
const frameBytes = 4_096 + 24

/** A writer that reports this state of the log, and whose checkpoints are counted. */
function fakeWriter(checkpoint = () => {}) {
  const writer = {
    checkpoints: 0,
    state: { log: 0, checkpointed: 0 },
    logFrames: () => writer.state,
    checkpoint: () => {
      writer.checkpoints++
      checkpoint()
    },
  }
  return writer
}

/** Opens no file, so the thread fails and checkpoints run on the connection of the writer. */
const missing = { path: join(folder, 'missing', 'test.db'), file: { run: async () => {} } }

test('starts a checkpoint for each number of frames, and waits for one at four times as many', async () => {
  const writer = fakeWriter()
  const checkpointer = new Checkpointer(writer, { ...missing, health: new DiskHealth(), frames: 10 })
  const states: [log: number, checkpointed: number, checkpoints: number][] = [
    [9, 0, 0],
    [10, 0, 1],
    [19, 10, 1],
    [20, 10, 2],
    [30, 30, 2],
    [39, 39, 2],
    [40, 39, 3],
    [49, 40, 3],
    [50, 49, 4],
    [3, 0, 4],
    [13, 13, 4],
    [23, 23, 4],
    [33, 33, 4],
    [40, 39, 5],
  ]
  for (const [log, checkpointed, checkpoints] of states) {
    writer.state = { log, checkpointed }
    await checkpointer.afterCommit()
    // Waits for one that was only started.
    await checkpointer.close()
    assert.equal(writer.checkpoints, checkpoints, `${log} frames, of which ${checkpointed} are checkpointed`)
  }
})

test('a write waits for a checkpoint of few frames, or when the log has become longer still', async () => {
  const waits = async (log: number, checkpointed: number): Promise<boolean> => {
    const writer = fakeWriter()
    const checkpointer = new Checkpointer(writer, { ...missing, health: new DiskHealth(), frames: 16 })
    writer.state = { log, checkpointed }
    await checkpointer.afterCommit()
    const hasWaited = writer.checkpoints === 1
    await checkpointer.close()
    assert.equal(writer.checkpoints, 1, `${log} frames, of which ${checkpointed} are checkpointed`)
    return hasWaited
  }
  assert.equal(await waits(63, 46), false)
  assert.equal(await waits(64, 61), false)
  assert.equal(await waits(64, 62), true)
  assert.equal(await waits(79, 76), false)
  assert.equal(await waits(80, 64), true)
})

test('the log takes four large transactions before writes wait; small ones have the usual limits', async () => {
  const writer = fakeWriter()
  let sync = Promise.withResolvers<void>()
  const file = { run: () => sync.promise }
  const checkpointer = new Checkpointer(writer, { ...missing, file, health: new DiskHealth(), frames: 10 })
  const afterCommit = async (log: number, checkpointed: number): Promise<'waits' | 'starts' | 'nothing'> => {
    const before = writer.checkpoints
    writer.state = { log, checkpointed }
    sync = Promise.withResolvers()
    const next = checkpointer.afterCommit()
    const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))
    const hasWaited = await Promise.race([next.then(() => false), turn])
    sync.resolve()
    await next
    await checkpointer.close()
    if (hasWaited) return 'waits'
    return writer.checkpoints > before ? 'starts' : 'nothing'
  }
  assert.equal(await afterCommit(1, 1), 'nothing')
  // Twice, because the log starts again each time.
  for (const more of [1, 2]) {
    assert.equal(await afterCommit(100 + more, 0), 'nothing')
    assert.equal(await afterCommit(200 + more, 0), 'starts')
    assert.equal(await afterCommit(300 + more, 200), 'starts')
    assert.equal(await afterCommit(400 + more, 300), 'waits')
  }
  assert.equal(await afterCommit(100, 0), 'nothing')
  assert.equal(await afterCommit(105, 0), 'waits')
  // Another process reads the frames, so that the log does not start again.
  for (const log of [110, 120]) assert.equal(await afterCommit(log, 0), 'starts')
  assert.equal(await afterCommit(125, 0), 'waits')
})

test('a failed fsync of a checkpoint stops writes, and another error is a fault', async () => {
  const failWith = async (errcode: number) => {
    const health = new DiskHealth()
    const writer = fakeWriter(() => {
      throw Object.assign(new Error('disk I/O error'), { errcode })
    })
    writer.state = { log: 50, checkpointed: 0 }
    await new Checkpointer(writer, { ...missing, health, frames: 10 }).afterCommit()
    return health
  }
  assert.match(String((await failWith(1034)).failure), /fsync failed/)
  const { failure, fault } = await failWith(778)
  assert.deepEqual([failure, fault?.kind], [null, 'I/O'])
})

test('syncs the file after a checkpoint that left frames, and a failed sync stops writes', async () => {
  for (const [copied, failure] of [
    [9, /fsync failed/],
    [10, /null/],
  ] as const) {
    const health = new DiskHealth()
    const run = async () => {
      throw syncFailure(new Error('EIO'))
    }
    const writer = fakeWriter(() => {
      writer.state = { log: 10, checkpointed: copied }
    })
    const checkpointer = new Checkpointer(writer, { ...missing, file: { run }, health, frames: 10 })
    writer.state = { log: 10, checkpointed: 0 }
    await checkpointer.afterCommit()
    await checkpointer.close()
    assert.match(String(health.failure), failure)
  }
})

test('an error on the thread is a fault, until a checkpoint succeeds', async (t) => {
  const disk = await createFailingDisk(folder)
  if (typeof disk === 'string') return t.skip(disk)
  const program = join(import.meta.dirname, 'failing-checkpoint.testkit.ts')
  const env = { ...process.env, ...disk.environment }
  const { stdout } = await promisify(execFile)(process.execPath, [program, join(folder, 'tenantry.db')], { env })
  assert.equal(stdout, 'I/O null\nnull null\n')
})

/** Takes two pages. */
const longHash = 'x'.repeat(8_000)

/** Writes without pause, this often on each of three callers. */
async function fill(options: Parameters<typeof openTestStorage>[0], rounds: number) {
  const workers: unknown[] = []
  const listen = (worker: unknown) => workers.push(worker)
  process.on('worker', listen)
  const opened = await openTestStorage(options)
  const tenant = await newTenant(opened.storage)
  const sizes = { log: 0, before: statSync(opened.path).size, after: 0 }
  let user = 0
  const addOn = async () => {
    for (let round = 0; round < rounds; round++) {
      await tenant.users.add(userOf({ id: `user-${++user}` }), longHash)
      sizes.log = Math.max(sizes.log, statSync(`${opened.path}-wal`).size)
    }
  }
  await Promise.all([addOn(), addOn(), addOn()])
  sizes.after = statSync(opened.path).size
  process.off('worker', listen)
  return { opened, sizes, threads: workers.length }
}

test('under continuous load the log stays bounded, and its pages reach the file', async () => {
  const { opened, sizes, threads } = await fill({ checkpointFrames: 100 }, 400)
  assert.equal(threads, 1)
  assert.ok(sizes.log < 600 * frameBytes, `${Math.round(sizes.log / frameBytes)} frames`)
  assert.ok(sizes.after > sizes.before)
  await opened.close()
})

test('while another connection reads, writes continue and the log grows; afterwards it starts again', async () => {
  const { opened } = await fill({ checkpointFrames: 20 }, 20)
  const tenant = await newTenant(opened.storage, { id: 'other' })
  const other = new DatabaseSync(opened.path, { readOnly: true })
  other.exec('BEGIN; SELECT count(*) FROM users')
  const add = (id: string) => tenant.users.add(userOf({ id }), longHash)
  for (let user = 0; user < 60; user++) await add(`reading-${user}`)
  const size = statSync(`${opened.path}-wal`).size
  assert.ok(size > 150 * frameBytes, `${size / frameBytes} frames`)
  other.close()
  for (let user = 0; user < 30; user++) await add(`later-${user}`)
  const grown = statSync(`${opened.path}-wal`).size
  for (let user = 30; user < 90; user++) await add(`later-${user}`)
  assert.equal(statSync(`${opened.path}-wal`).size, grown)
  await opened.close()
})

test('without need no thread starts, and SQLite itself checkpoints nothing', async () => {
  const { opened, sizes, threads } = await fill({ checkpointFrames: 1_000_000 }, 400)
  assert.ok(sizes.log > 4_200 * frameBytes, `${sizes.log / frameBytes} frames`)
  assert.deepEqual([threads, sizes.after], [0, sizes.before])
  await opened.close()
})
