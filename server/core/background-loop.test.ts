import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import { BackgroundLoop, type BackgroundLoopOptions } from './background-loop.ts'

type Turn = Awaited<ReturnType<BackgroundLoopOptions['turn']>>

/** A loop whose turns end as `script` says, then idle. */
function scripted(script: (Turn | Error)[], options: Partial<BackgroundLoopOptions> = {}) {
  const counts = { turns: 0, failures: 0, polls: 0 }
  const loop = new BackgroundLoop({
    async turn() {
      counts.turns++
      const next = script.shift() ?? 'idle'
      if (next instanceof Error) throw next
      return next
    },
    onFailure: () => counts.failures++,
    onPoll: () => counts.polls++,
    isBusy: () => false,
    pollMs: 30_000,
    ...options,
  })
  loop.start()
  return { loop, counts }
}

test('runs turns until one finds nothing, then with a signal', async () => {
  const { loop, counts } = scripted(['more', 'more'])
  await pause(5)
  assert.equal(counts.turns, 3)
  loop.signal()
  await pause(5)
  assert.deepEqual(counts, { turns: 4, failures: 0, polls: 0 })
  await loop.stop()
})

test('wake-ups of one turn of the event loop share a turn', async () => {
  const { loop, counts } = scripted([])
  await pause(5)
  for (let count = 0; count < 10; count++) loop.wake()
  await pause(5)
  assert.equal(counts.turns, 2)
  await loop.stop()
})

test('polls for work that nothing has signalled', async () => {
  const { loop, counts } = scripted([], { pollMs: 2 })
  await until(() => counts.polls > 2)
  await loop.stop()
})

test('after a failure waits for the poll, whatever is signalled', async () => {
  const { loop, counts } = scripted([new Error('down')], { pollMs: 50 })
  await pause(5)
  for (let count = 0; count < 5; count++) loop.signal()
  await pause(5)
  // Polls may have come in the meantime, but the signals caused no turn.
  assert.deepEqual([counts.turns, counts.failures], [1 + counts.polls, 1])
  await until(() => counts.turns > 1)
  await loop.stop()
})

test('a turn that asks for a pause is followed by one after it, or by a signal', async () => {
  const { loop, counts } = scripted([5, 20_000])
  await pause(40)
  assert.equal(counts.turns, 2)
  loop.signal()
  await pause(5)
  assert.equal(counts.turns, 3)
  await loop.stop()
})

test('drain resolves after a complete turn that began later and found nothing', async () => {
  const { loop, counts } = scripted(['idle', 'more', 'more'])
  await pause(5)
  assert.equal(loop.isDraining, false)
  const drained = loop.drain()
  assert.equal(loop.isDraining, true)
  await drained
  assert.deepEqual([counts.turns, loop.isDraining], [4, false])
  await loop.stop()
  await loop.drain()
  assert.equal(counts.turns, 4)
})

test('stop waits for work under way, at most the drain timeout, and starts again', async () => {
  let busy = true
  const { loop, counts } = scripted([], { isBusy: () => busy, drainTimeoutMs: 20 })
  loop.drainTimeout.addEventListener('abort', () => {
    busy = false
    loop.signal()
  })
  const drained = loop.drain()
  await loop.stop()
  await drained
  assert.equal(loop.drainTimeout.aborted, true)
  assert.ok(loop.isStopped)
  const { turns } = counts
  loop.start()
  await pause(5)
  assert.equal(counts.turns, turns + 1)
  assert.equal(loop.drainTimeout.aborted, false)
  await loop.stop()
})

test('stop does not wait for the poll that follows a failure', async () => {
  const { loop, counts } = scripted([new Error('down')])
  await until(() => counts.failures === 1)
  await loop.stop()
  assert.deepEqual(counts, { turns: 1, failures: 1, polls: 0 })
})

test('stop during a turn that fails does not wait for the next poll', async () => {
  const { loop, counts } = scripted([new Error('down')])
  await loop.stop()
  assert.deepEqual(counts, { turns: 1, failures: 1, polls: 0 })
})

test('stop after a failure tries at once to finish work under way', async () => {
  const { loop, counts } = scripted([new Error('down')], { isBusy: () => counts.turns < 2 })
  await until(() => counts.failures === 1)
  await loop.stop()
  assert.deepEqual(counts, { turns: 2, failures: 1, polls: 0 })
})

test('the drain timeout ends the wait after a failure', async () => {
  const failing = Array.from({ length: 10 }, () => new Error('down'))
  const { loop, counts } = scripted(failing, { isBusy: () => true, drainTimeoutMs: 10 })
  await loop.stop()
  // The last turn, after the timeout, can record what the timeout ended.
  assert.deepEqual(counts, { turns: 2, failures: 2, polls: 0 })
})

test('stop gives up when the database fails until the drain timeout', async () => {
  const failing = Array.from({ length: 1_000 }, () => new Error('down'))
  const { loop, counts } = scripted(failing, { isBusy: () => true, drainTimeoutMs: 10, pollMs: 3 })
  await loop.stop()
  assert.ok(counts.failures > 0)
})
