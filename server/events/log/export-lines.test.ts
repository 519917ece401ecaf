import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentKey, exportOf, headOf, purgeBatch, type SampleLog, sampleLog } from '../verify/sample-log.testkit.ts'
import type { EventLogStore, SealingTimes } from './event-log.ts'
import { exportLines } from './export-lines.ts'

/** A store of a log that notes how much each of its queries returned. */
function storeOf({ events, batches, head }: SampleLog) {
  const reads = { events: [] as number[], batches: [] as number[] }
  const log: Pick<EventLogStore, 'head' | 'between' | 'batchesBetween'> = {
    head: async () => head ?? { batch: 0, sequence: 0, hash: '' },
    between: async (after, upTo) => {
      const found = events.filter(({ sequence }) => sequence > after && sequence <= upTo)
      reads.events.push(found.length)
      return found
    },
    batchesBetween: async (after, upTo, limit) => {
      const found = batches.filter(({ batch }) => batch > after && batch <= upTo).slice(0, limit)
      reads.batches.push(found.length)
      return found
    },
  }
  return { log: log as EventLogStore, reads }
}

const linesOf = (log: EventLogStore, times: SealingTimes = {}) => Array.fromAsync(exportLines(log, 'acme', times))

test('reads small batches a hundred at once, with at most 1,000 events', async () => {
  const sizes = Array.from({ length: 600 }, (_, index) => 1 + (index % 20))
  const { log, reads } = storeOf(sampleLog('acme', sizes, currentKey))
  assert.equal((await linesOf(log)).length, 600 + sizes.reduce((sum, size) => sum + size) + 1)
  assert.ok(Math.max(...reads.events) <= 1_000)
  assert.ok(Math.max(...reads.batches) <= 100)
  assert.ok(reads.events.length <= 16, `${reads.events.length} sections`)
})

test('reads large batches one by one, so that the hashes of purged ones are not in memory together', async () => {
  const whole = sampleLog('acme', Array(12).fill(1_200), currentKey)
  for (let batch = 1; batch <= 11; batch++) purgeBatch(whole, batch, true, currentKey)
  const { log, reads } = storeOf(whole)
  const lines = await linesOf(log)
  assert.equal(lines.length, 11 * 400 + 1_200 + 12 + 1)
  assert.ok(Math.max(...reads.batches) <= 2, `${reads.batches}`)
})

test('an export of a time ends with its head, although a batch of that time is sealed while it begins', async () => {
  const whole = sampleLog('acme', [1, 1, 1], currentKey)
  const batches = whole.batches.slice(0, 2)
  const { log } = storeOf({ ...whole, head: headOf({ ...whole, batches }) })
  const lines = await linesOf(
    { ...log, batchesSealed: async () => ({ first: 1, last: 3 }) },
    { until: Number.MAX_SAFE_INTEGER },
  )
  assert.deepEqual(
    lines.flatMap((line) => ('batch' in line ? line.batch.batch : [])),
    [1, 2],
  )
  assert.partialDeepStrictEqual(lines.at(-1), { done: { events: 2, batches: 2, head: { batch: 2 } } })
})

test('an export of a log in which nothing is sealed has no head', async () => {
  const { log } = storeOf(sampleLog('acme', [], currentKey))
  assert.deepEqual(await linesOf(log), [{ done: { events: 0, batches: 0, head: null } }])
})

test('reads a batch again that is purged while its events are read', async () => {
  const whole = sampleLog('acme', [3, 3], currentKey)
  let isPurged = false
  const lines = await linesOf({
    ...storeOf(whole).log,
    batchesBetween: (...range) => storeOf(whole).log.batchesBetween(...range),
    between: (...range) => {
      if (!isPurged) purgeBatch(whole, 1, true, currentKey)
      isPurged = true
      return storeOf(whole).log.between(...range)
    },
  })
  assert.deepEqual(
    lines.map((line) => JSON.stringify(line)),
    exportOf(whole),
  )
})
