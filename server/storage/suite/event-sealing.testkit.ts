import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueuedEvent } from '../../events/event.ts'
import type { Sealing, UnsealedLog } from '../../events/event-sealing.ts'
import { LogSealing } from '../../events/log-sealing.ts'
import type { EventBatch } from '../../events/sealed-log.ts'
import type { Storage } from '../storage.ts'
import type { Dump, OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, queuedEventOf, t0 } from './samples.testkit.ts'

/** A batch without hashes, which the store does not check. */
export const batchOf = ({ head, events }: UnsealedLog): EventBatch => ({
  batch: head.batch + 1,
  firstSequence: head.sequence + 1,
  count: events.length,
  sealedAt: t0 + 5,
  root: events.map(({ id }) => id).join(' '),
  previous: head.hash,
  hash: `hash ${head.batch + 1}`,
  kid: 'kid',
  signature: 'signature',
})

const queue = async (storage: Storage, tenantId: string, ...events: QueuedEvent[]) => {
  for (const event of events) await storage.forTenant(tenantId).events.add(event)
}

const seal = (storage: Storage, most = 1_000): Promise<Sealing> => storage.system.eventSealing.seal(most, batchOf)

/** The log of a tenant as `[sequence, batch, id]`. */
const logOf = (dump: Dump, tenantId: string) =>
  dump['events']!.filter((row) => row['tenant_id'] === tenantId)
    .map(({ sequence, batch, id }) => [Number(sequence), Number(batch), id])
    .sort(([one], [other]) => Number(one) - Number(other))

const batchesOf = (dump: Dump, tenantId: string) =>
  dump['event_batches']!.filter((row) => row['tenant_id'] === tenantId)
    .map(({ batch, first_sequence: first, count, previous }) => [Number(batch), Number(first), Number(count), previous])
    .sort(([one], [other]) => Number(one) - Number(other))

/** Sealing: each queued event gets one sequence of its log. */
export function eventSealingTests(open: OpenStorage): void {
  test('moves queued events unchanged to the logs of their tenants, one batch each', async () => {
    const { storage, dump, close } = await open()
    const erased = { ...queuedEventOf({ id: '3', actorId: null, subjectId: null, requestId: null, personal: null }) }
    // Ids begin with the time of their event.
    await queue(storage, 'one', queuedEventOf({ id: '1', at: t0 - 1 }), erased)
    await queue(storage, 'two', queuedEventOf({ id: '2', outcome: 'refused' }))
    await storage.system.events.add(queuedEventOf({ id: '4', type: 'operator.created', actorKind: 'operator' }))
    assert.deepEqual(await storage.system.eventSealing.depth(10), { events: 4, oldest: t0 - 1 })
    const queued = (await dump())['event_queue']!.map((row) => ({ ...row }))
    const seen: UnsealedLog[] = []
    const { heldMs, ...sealed } = await storage.system.eventSealing.seal(10, (log) => {
      seen.push(log)
      return batchOf(log)
    })
    assert.deepEqual(sealed, { events: 4, batches: 3, oldest: t0 - 1 })
    assert.ok(heldMs > 0)
    assert.deepEqual(seen.map(({ tenantId }) => tenantId).sort(), ['deployment', 'one', 'two'])
    const after = await dump()
    assert.deepEqual(after['event_queue'], [])
    const stored = after['events']!.map(({ sequence: _, batch: _batch, ...row }) => row)
    const byId = (rows: Dump[string]) => rows.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
    assert.deepEqual(byId(stored), byId(queued))
    assert.deepEqual(logOf(after, 'one'), [
      [1, 1, '1'],
      [2, 1, '3'],
    ])
    assert.deepEqual(logOf(after, 'two'), [[1, 1, '2']])
    const of = seen.find(({ tenantId }) => tenantId === 'one')!
    assert.deepEqual(of.head, { batch: 0, sequence: 0, hash: '' })
    const { personal: _, ...hashed } = erased
    assert.partialDeepStrictEqual(of.events[1], hashed)
    assert.deepEqual(await storage.system.eventSealing.depth(10), { events: 0, oldest: null })
    await close()
  })

  test('seals no more than the limit, oldest first, and continues at the head', async () => {
    const { storage, dump, close } = await open()
    await queue(storage, 'one', ...['1', '2', '3', '4', '5'].map((id) => queuedEventOf({ id })))
    assert.equal((await storage.system.eventSealing.depth(3)).events, 3)
    assert.equal((await seal(storage, 3)).events, 3)
    assert.equal((await seal(storage, 3)).events, 2)
    assert.deepEqual(await seal(storage, 3).then(({ heldMs: _, ...rest }) => rest), {
      events: 0,
      batches: 0,
      oldest: null,
    })
    const after = await dump()
    assert.deepEqual(logOf(after, 'one'), [
      [1, 1, '1'],
      [2, 1, '2'],
      [3, 1, '3'],
      [4, 2, '4'],
      [5, 2, '5'],
    ])
    assert.deepEqual(batchesOf(after, 'one'), [
      [1, 1, 3, ''],
      [2, 4, 2, 'hash 1'],
    ])
    assert.deepEqual(
      after['event_heads']!.map((row) => ({ ...row })),
      [{ tenant_id: 'one', batch: 2, sequence: 5, hash: 'hash 2' }],
    )
    await close()
  })

  test('an event that is committed late gets a later sequence than those with higher ids', async () => {
    const { storage, dump, close } = await open()
    await queue(storage, 'one', queuedEventOf({ id: '2' }))
    await seal(storage)
    await queue(storage, 'one', queuedEventOf({ id: '1' }))
    await seal(storage)
    assert.deepEqual(logOf(await dump(), 'one'), [
      [1, 1, '2'],
      [2, 2, '1'],
    ])
    await close()
  })

  test('processes that seal at once give each event one sequence without a gap', async () => {
    const { storage, dump, close } = await open()
    const tenants = ['one', 'two', 'three']
    for (const tenantId of tenants)
      for (let count = 0; count < 40; count++) await queue(storage, tenantId, queuedEventOf({ id: `${count + 100}` }))
    await atOnce(6, async () => {
      while ((await storage.system.eventSealing.depth(1)).events > 0) await seal(storage, 17)
    })
    const after = await dump()
    for (const tenantId of tenants) {
      const log = logOf(after, tenantId)
      assert.deepEqual(
        log.map(([sequence]) => sequence),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      assert.equal(new Set(log.map(([, , id]) => id)).size, 40)
      const batches = batchesOf(after, tenantId)
      assert.deepEqual(
        batches.map(([batch]) => batch),
        batches.map((_, index) => index + 1),
      )
      assert.deepEqual(
        batches.map(([, , , previous]) => previous),
        batches.map((_, index) => (index === 0 ? '' : `hash ${index}`)),
      )
    }
    await close()
  })

  test('a batch that cannot be sealed leaves its events in the queue', async () => {
    const { storage, dump, close } = await open()
    await queue(storage, 'one', queuedEventOf({ id: '1' }))
    const failing = storage.system.eventSealing.seal(10, () => {
      throw new Error('no key')
    })
    await assert.rejects(failing, /no key/)
    const after = await dump()
    assert.equal(after['event_queue']!.length, 1)
    assert.deepEqual([after['events'], after['event_heads'], after['event_batches']], [[], [], []])
    await close()
  })

  test('leaves out the logs that it is given, and seals one log alone', async () => {
    const { storage, dump, close } = await open()
    const { eventSealing } = storage.system
    for (const tenantId of ['one', 'two', 'three'])
      await queue(storage, tenantId, queuedEventOf({ id: '1' }), queuedEventOf({ id: '2' }))
    assert.deepEqual(await eventSealing.oldestLogs(6, []), ['one', 'three', 'two'])
    assert.deepEqual(await eventSealing.oldestLogs(6, ['one', 'three']), ['two'])
    assert.equal((await eventSealing.seal(6, batchOf, ['one', 'three'])).events, 2)
    assert.equal((await eventSealing.sealLog('one', 1, batchOf)).events, 1)
    const after = await dump()
    assert.deepEqual(
      ['one', 'two', 'three'].map((tenantId) => logOf(after, tenantId).length),
      [1, 2, 0],
    )
    await close()
  })

  test('leaves no head of a log whose events were erased before it was sealed alone', async () => {
    const { storage, dump, execute, close } = await open()
    await queue(storage, 'erased', queuedEventOf({ id: '1' }))
    await queue(storage, 'sealed', queuedEventOf({ id: '1' }))
    await seal(storage, 2)
    await queue(storage, 'erased', queuedEventOf({ id: '2' }))
    for (const table of ['event_queue', 'events', 'event_batches', 'event_heads'])
      await execute(`DELETE FROM ${table} WHERE tenant_id = 'erased'`)
    for (const tenantId of ['erased', 'sealed'])
      assert.equal((await storage.system.eventSealing.sealLog(tenantId, 10, batchOf)).events, 0)
    assert.deepEqual(
      (await dump())['event_heads']!.map(({ tenant_id, batch }) => [tenant_id, Number(batch)]),
      [['sealed', 1]],
    )
    await close()
  })

  test('a log whose head was deleted, or with a duplicate id, does not stop the others', async () => {
    const { storage, dump, execute, close } = await open()
    for (const tenantId of ['no head', 'duplicate', 'sound']) await queue(storage, tenantId, queuedEventOf({ id: '1' }))
    await seal(storage)
    await execute(`DELETE FROM event_heads WHERE tenant_id = 'no head'`)
    await queue(storage, 'no head', queuedEventOf({ id: '2' }))
    await queue(storage, 'duplicate', queuedEventOf({ id: '1' }))
    await queue(storage, 'sound', queuedEventOf({ id: '3' }), queuedEventOf({ id: '4' }))
    await assert.rejects(seal(storage))
    const lines: Record<string, unknown>[] = []
    const logs = new LogSealing(storage.system.eventSealing, { error: (line: object) => void lines.push({ ...line }) })
    const sealed = await logs.seal(1_000, batchOf)
    assert.deepEqual([sealed.events, sealed.batches], [2, 1])
    assert.deepEqual(lines.map(({ tenantId }) => tenantId).sort(), ['duplicate', 'no head'])
    const after = await dump()
    assert.deepEqual(
      logOf(after, 'sound').map(([, , id]) => id),
      ['1', '3', '4'],
    )
    assert.deepEqual(after['event_queue']!.map((row) => row['tenant_id']).sort(), ['duplicate', 'no head'])
    // They are left out for a second.
    assert.equal((await logs.seal(1_000, batchOf)).events, 0)
    await close()
  })

  test('seals a thousand logs in one transaction', async () => {
    const { storage, dump, close } = await open()
    await atOnce(1_000, (index) => queue(storage, `tenant ${index}`, queuedEventOf()))
    const { events, batches } = await seal(storage)
    assert.deepEqual([events, batches], [1_000, 1_000])
    const after = await dump()
    assert.deepEqual([after['event_heads']!.length, after['event_batches']!.length], [1_000, 1_000])
    await close()
  })

  test('of processes that add a checkpoint key at once, one succeeds', async () => {
    const { storage, close } = await open()
    const { checkpointKeys } = storage.system
    const keyOf = (ordinal: number, kid: string) => ({
      ...{ kid, ordinal, publicJwk: '{}', sealedPrivateJwk: 'sealed', createdAt: t0 },
    })
    for (const ordinal of [1, 2]) {
      const added = await atOnce(5, (index) => checkpointKeys.add(keyOf(ordinal, `${ordinal}.${index}`)))
      assert.equal(added.filter(Boolean).length, 1)
    }
    assert.deepEqual(
      (await checkpointKeys.list()).map(({ ordinal }) => ordinal),
      [1, 2],
    )
    await close()
  })
}
