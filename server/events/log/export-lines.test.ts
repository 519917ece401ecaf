import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentKey, purgeBatch, type SampleLog, sampleLog } from '../verify/sample-log.testkit.ts'
import type { EventLogStore } from './event-log.ts'
import { exportLines } from './export-lines.ts'

/** A store of a log that notes how much each of its queries returned. */
function storeOf({ events, batches, head }: SampleLog) {
  const reads = { events: [] as number[], batches: [] as number[] }
  const log: Pick<EventLogStore, 'head' | 'between' | 'batchesBetween'> = {
    head: async () => head!,
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

async function linesOf(log: EventLogStore) {
  const lines = []
  for await (const line of exportLines(log, 'acme', {})) lines.push(line)
  return lines
}

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
