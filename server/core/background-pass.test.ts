import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BackgroundPass } from './background-pass.ts'

/** Work whose passes end when the test says so. */
function createWork({ onSuccess }: { onSuccess?: () => void } = {}) {
  const passes: PromiseWithResolvers<void>[] = []
  const logged: unknown[] = []
  const work = new BackgroundPass({
    task: 'sweep',
    pass() {
      passes.push(Promise.withResolvers<void>())
      return passes.at(-1)!.promise
    },
    logger: { error: (...line: unknown[]) => void logged.push(line) },
    ...(onSuccess && { onSuccess }),
  })
  return { work, passes, logged }
}

const soon = () => new Promise(setImmediate)

test('does what comes up during a pass in one more pass', async () => {
  const { work, passes } = createWork()
  const running = work.run()
  work.wake()
  assert.equal(work.run(), running)
  assert.equal(passes.length, 1)
  passes[0]!.resolve()
  await soon()
  assert.equal(passes.length, 2)
  passes[1]!.resolve()
  await running
  assert.equal(passes.length, 2)
})

test('loses no call in the moment in which a pass has ended', async () => {
  const calls = [() => work.wake()]
  const { work, passes } = createWork({ onSuccess: () => queueMicrotask(() => calls.pop()?.()) })
  work.wake()
  passes[0]!.resolve()
  await soon()
  assert.equal(passes.length, 2)
})

test('logs a failure, and still does what came up meanwhile', async () => {
  let successes = 0
  const { work, passes, logged } = createWork({ onSuccess: () => void successes++ })
  const running = work.run()
  work.wake()
  const err = new Error('database unavailable')
  passes[0]!.reject(err)
  await soon()
  assert.deepEqual(logged, [[{ task: 'sweep', err }, 'housekeeping task failed; retrying in 60 s']])
  passes[1]!.resolve()
  await running
  assert.deepEqual([successes, logged.length], [1, 1])
})

test('waits for the pass in progress on stop, reports nothing of it and starts no other', async () => {
  const { work, passes, logged } = createWork({ onSuccess: () => assert.fail('reported') })
  work.wake()
  work.wake()
  let isStopped = false
  const stopped = work.stop().then(() => {
    isStopped = true
  })
  await soon()
  assert.deepEqual([isStopped, work.stopping.aborted], [false, true])
  passes[0]!.reject(new Error('The storage is closed'))
  await stopped
  await work.run()
  assert.deepEqual([passes.length, logged], [1, []])
})
