import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentKey, headOf, sampleLog } from '../verify/sample-log.testkit.ts'
import type { EventLogStore } from './event-log.ts'
import { followLog } from './follow-log.ts'

test('remembers 500 heads of the log at most, so that a stream of weeks takes no more memory than one of minutes', async () => {
  const sizes = Array(600).fill(1)
  let { events, batches } = sampleLog('acme', [], currentKey)
  let lookups = 0
  const log: Pick<EventLogStore, 'head' | 'between' | 'batchesBetween'> = {
    head: async () => headOf({ tenantId: 'acme', events, batches, head: null })!,
    between: async (after, upTo) => events.filter(({ sequence }) => sequence > after && sequence <= upTo),
    batchesBetween: async (after, upTo) => {
      lookups++
      return batches.filter(({ batch }) => batch > after && batch <= upTo)
    },
  }
  let seal = () => {}
  const watch = (listener: () => void) => {
    seal = listener
    return () => {}
  }
  const { signal } = new AbortController()
  const following = { after: 0, watch, mayRead: async () => true, ends: signal }
  const stream = followLog(log as EventLogStore, 'acme', following)
  const whole = sampleLog('acme', sizes, currentKey)
  for (let count = 1; count <= sizes.length; count++) {
    ;[events, batches] = [whole.events.slice(0, count), whole.batches.slice(0, count)]
    seal()
    assert.equal((await stream.next()).value?.id, String(count))
  }
  // A failover after which no head is that of a batch: it is compared with each of them.
  ;({ events, batches } = sampleLog('another', sizes, currentKey))
  lookups = 0
  seal()
  assert.equal((await stream.next()).value?.id, '102')
  assert.equal(lookups, 500)
  await stream.return(undefined)
})
