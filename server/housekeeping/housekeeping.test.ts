import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../test/support/manual-clock.ts'
import { createHousekeeping, type HousekeepingTask } from './housekeeping.ts'

interface Line {
  readonly task: string
  readonly err: Error
}

/** Housekeeping that counts how often it runs its quick task; the one that may take long is given. */
function createCounted(last: HousekeepingTask['run']) {
  const rounds: number[] = []
  const successes: string[] = []
  const lines: [Line, string][] = []
  const housekeeping = createHousekeeping({
    quickTasks: [{ name: 'first', run: (now) => void rounds.push(now) }],
    tasks: [
      { name: 'last', run: last },
      { name: 'after', run() {} },
    ],
    clock: manualClock(1_000),
    logger: { error: (...line: unknown[]) => void lines.push(line as [Line, string]) },
    onSuccess: (task, now) => void successes.push(`${task} ${now}`),
  })
  return { housekeeping, rounds, successes, lines }
}

const soon = () => new Promise(setImmediate)

test('joins the round in progress on a second call, and waits for it on stop', async () => {
  const goOn = Promise.withResolvers<void>()
  const { housekeeping, rounds } = createCounted(() => goOn.promise)
  const first = housekeeping.run()
  assert.equal(housekeeping.run(), first)
  assert.equal(rounds.length, 1)
  await soon()
  let isStopped = false
  const stopping = housekeeping.stop().then(() => {
    isStopped = true
  })
  await soon()
  assert.equal(isStopped, false)
  goOn.resolve()
  await stopping
})

test('runs quick tasks every minute while another task takes longer', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const goOn = Promise.withResolvers<void>()
  const { housekeeping, rounds, successes } = createCounted(() => goOn.promise)
  housekeeping.start()
  for (let minute = 1; minute <= 3; minute++) {
    t.mock.timers.tick(60_000)
    await soon()
    assert.equal(rounds.length, minute)
  }
  assert.deepEqual(successes, ['first 1000', 'first 1000', 'first 1000'])
  goOn.resolve()
  await housekeeping.stop()
})

test('waits a second for a task on stop, reports nothing of it then, and starts no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ends = Promise.withResolvers<void>()
  const { housekeeping, successes, lines } = createCounted(() => ends.promise)
  const round = housekeeping.run()
  await soon()
  let isStopped = false
  const stopping = housekeeping.stop().then(() => {
    isStopped = true
  })
  t.mock.timers.tick(999)
  await soon()
  assert.equal(isStopped, false)
  t.mock.timers.tick(1)
  await stopping
  ends.reject(new Error('The storage is closed'))
  await round
  assert.deepEqual([successes, lines], [['first 1000'], []])
})

test('runs a round per minute until it is stopped, also after a failure', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { housekeeping, rounds, lines } = createCounted(() => Promise.reject(new Error('database unavailable')))
  housekeeping.start()
  for (let minute = 1; minute <= 3; minute++) {
    t.mock.timers.tick(60_000)
    assert.equal(rounds.length, minute)
    await housekeeping.run()
  }
  assert.equal(lines.length, 3)
  const [{ task, err }, message] = lines[0]!
  assert.deepEqual([task, err.message], ['last', 'database unavailable'])
  assert.equal(message, 'housekeeping task failed; retrying in 60 s')
  await housekeeping.stop()
  t.mock.timers.tick(120_000)
  assert.equal(rounds.length, 3)
})

test('runs the remaining tasks after a failed one, and records only successes', async () => {
  for (const run of [() => Promise.reject(new Error('later')), () => assert.fail('at once')]) {
    const done: string[] = []
    const noted: string[] = []
    const failed: string[] = []
    const task = (name: string): HousekeepingTask => ({ name, run: () => void done.push(name) })
    await createHousekeeping({
      quickTasks: [],
      tasks: [task('a'), { name: 'broken', run }, task('b'), { ...task('detached'), reportsItself: true }],
      clock: manualClock(1_000),
      logger: { error: (line: unknown) => void failed.push((line as Line).task) },
      onSuccess: (name) => void noted.push(name),
    }).run()
    assert.deepEqual([done, noted, failed], [['a', 'b', 'detached'], ['a', 'b'], ['broken']])
  }
})
