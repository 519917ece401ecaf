import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitmentOf } from '../../core/commitment.ts'
import type { HashedEvent } from '../../events/seal.ts'
import { batchOf } from './event-sealing.testkit.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, queuedEventOf } from './samples.testkit.ts'

const personal = '{"changes":{"name":{"after":"Zoë 😀"}},"salt":"1"}'

/** When an event gets the commitment of its personal part: where the engine has one process, as it is sealed. */
export function eventCommitmentTests(engine: string, open: OpenStorage): void {
  const whenSealed = engine === 'SQLite'

  test(`an event is queued ${whenSealed ? 'without' : 'with'} its commitment`, async () => {
    const { storage, dump, close } = await open()
    const { events } = await newTenant(storage)
    await events.add(queuedEventOf({ personal, commitment: '' }))
    const [queued] = (await dump())['event_queue']!
    assert.equal(queued!['commitment'], whenSealed ? '' : commitmentOf(personal))
    await close()
  })

  test('an event without a commitment gets one before it is sealed, also when it was copied to another engine', async () => {
    const { storage, dump, execute, close } = await open()
    const { events } = await newTenant(storage)
    await events.add(queuedEventOf({ id: '1', personal, commitment: '' }))
    await events.add(queuedEventOf({ id: '2', personal: null, commitment: '' }))
    await execute("UPDATE event_queue SET commitment = ''")
    const hashed: HashedEvent[] = []
    await storage.system.eventSealing.seal(10, (log) => {
      hashed.push(...log.events)
      return batchOf(log)
    })
    const commitments = { 1: commitmentOf(personal), 2: commitmentOf('2') }
    for (const sealed of [hashed, (await dump())['events']!])
      assert.deepEqual(Object.fromEntries(sealed.map(({ id, commitment }) => [id, commitment])), commitments)
    await close()
  })
}
