import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { currentKey, headOf, type SampleLog, sampleLog } from '../verify/sample-log.testkit.ts'
import type { EventLogStore } from './event-log.ts'
import { followLog } from './follow-log.ts'

/** A stream of a log that `seal` replaces, how often it has read the head and batches, and its listeners. */
function start(t: TestContext) {
  let current = sampleLog('acme', [], currentKey)
  const reads = { heads: 0, batches: 0 }
  const log: Pick<EventLogStore, 'head' | 'between' | 'batchesBetween'> = {
    head: async () => {
      reads.heads++
      await nextTurn()
      return headOf(current)!
    },
    between: async (after, upTo) => current.events.filter(({ sequence }) => sequence > after && sequence <= upTo),
    batchesBetween: async (after, upTo) => {
      reads.batches++
      return current.batches.filter(({ batch }) => batch > after && batch <= upTo)
    },
  }
  const listeners = new Set<() => void>()
  const watch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const ends = new AbortController()
  t.after(() => ends.abort())
  const following = { after: 0, watch, mayRead: async () => true, ends: ends.signal }
  const stream = followLog(log as EventLogStore, 'acme', following)
  function seal(log: SampleLog): void {
    current = log
    for (const ring of listeners) ring()
  }
  return { reads, listeners, ends, stream, seal, next: async () => (await stream.next()).value?.id }
}

test('remembers 500 heads of the log at most, so that a stream of weeks takes no more memory than one of minutes', async (t) => {
  const { reads, seal, next } = start(t)
  const sizes = Array(600).fill(1)
  const whole = sampleLog('acme', sizes, currentKey)
  for (let count = 1; count <= sizes.length; count++) {
    seal({ ...whole, events: whole.events.slice(0, count), batches: whole.batches.slice(0, count) })
    assert.equal(await next(), String(count))
  }
  // A failover after which no head is that of a batch: it is compared with each of them.
  seal(sampleLog('another', sizes, currentKey))
  reads.batches = 0
  assert.equal(await next(), '102')
  assert.equal(reads.batches, 500)
})

test('rests after an event until something is sealed, or for a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { reads, seal, next } = start(t)
  for (const count of [1, 2]) {
    seal(sampleLog('acme', Array(count).fill(1), currentKey))
    assert.equal(await next(), String(count))
  }
  const following = next()
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  assert.equal(reads.heads, 2)
  t.mock.timers.tick(1_000)
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  assert.equal(reads.heads, 3)
  seal(sampleLog('acme', [1, 1, 1], currentKey))
  assert.equal(await following, '3')
})

test('watches the log no longer when the client has gone or the stream ends', async (t) => {
  const gone = start(t)
  gone.seal(sampleLog('acme', [1], currentKey))
  assert.deepEqual([await gone.next(), gone.listeners.size], ['1', 1])
  gone.ends.abort()
  assert.deepEqual([await gone.next(), gone.listeners.size], [undefined, 0])
  const left = start(t)
  left.seal(sampleLog('acme', [1], currentKey))
  await left.next()
  await left.stream.return(undefined)
  assert.equal(left.listeners.size, 0)
})
