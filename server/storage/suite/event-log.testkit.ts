import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment } from '../../core/deployment.ts'
import type { EventFilter, EventLogStore } from '../../events/log/event-log.ts'
import type { SealedEvent, StoredBatch } from '../../events/sealed-log.ts'
import type { OpenedStorage, OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, t0 } from './samples.testkit.ts'
import { batchOf, sealedEventOf, storing, withOneId } from './sealed-log.testkit.ts'

const sequences = (events: readonly { readonly sequence: number }[]) => events.map(({ sequence }) => sequence)

/** A tenant with these events in one batch. */
async function withEvents(opened: OpenedStorage, events: readonly SealedEvent[]) {
  const tenantId = 'tenant'
  const { eventLog } = await newTenant(opened.storage, { id: tenantId })
  await opened.execute(storing(tenantId, { events, batches: [batchOf(tenantId, events, t0)] }))
  return eventLog
}

/** All events of a list, section by section. */
async function listAll(log: EventLogStore, filter: EventFilter, limit: number): Promise<number[]> {
  const all: number[] = []
  let before: string | null = null
  do {
    const section = await log.list(filter, { limit, before })
    assert.ok(section.rows.length <= limit)
    all.push(...sequences(section.rows))
    before = section.next
  } while (before !== null)
  return all
}

/** The sealed log as the operator and the user read it. */
export function eventLogTests(open: OpenStorage): void {
  test('lists events newest first, by every filter, alone and together', async () => {
    const opened = await open()
    const [ada, bob] = ['ada', 'bob']
    const log = await withEvents(opened, [
      sealedEventOf(1, { type: 'session.created', actorId: ada, subjectId: ada, requestId: 'r' }),
      sealedEventOf(2, { type: 'session.ended', actorId: bob, subjectId: ada, outcome: 'refused' }),
      sealedEventOf(3, { type: 'user.updated', actorId: bob, subjectId: bob, requestId: 'r' }),
      sealedEventOf(4, { type: 'sign_in.refused', actorId: null, subjectId: ada, outcome: 'refused' }),
      sealedEventOf(5, { type: 'session.created', actorId: ada, subjectId: bob }),
    ])
    const expected: [EventFilter, number[]][] = [
      [{}, [5, 4, 3, 2, 1]],
      [{ type: 'session.created' }, [5, 1]],
      [{ type: 'session.*' }, [5, 2, 1]],
      [{ type: 'user.*' }, [3]],
      [{ actorId: ada }, [5, 1]],
      [{ subjectId: ada }, [4, 2, 1]],
      [{ subjectId: ada, actorId: bob }, [2]],
      [{ outcome: 'refused' }, [4, 2]],
      [{ requestId: 'r' }, [3, 1]],
      [{ since: t0 + 2_000 }, [5, 4, 3, 2]],
      [{ until: t0 + 2_000 }, [1]],
      [{ since: t0 + 2_000, until: t0 + 4_000 }, [3, 2]],
      [{ since: t0 + 4_000, until: t0 + 2_000 }, []],
      [{ subjectId: ada, type: 'session.*', outcome: 'done', requestId: 'r', since: t0 }, [1]],
      [{ actorId: bob, type: 'session.*', outcome: 'refused', until: t0 + 3_000 }, [2]],
      [{ subjectId: ada, actorId: ada, type: 'session.created' }, [1]],
      [{ subjectId: 'nobody' }, []],
      [{ actorId: 'nobody', type: 'session.*' }, []],
    ]
    for (const [filter, result] of expected) {
      for (const limit of [1, 2, 9]) assert.deepEqual(await listAll(log, filter, limit), result, JSON.stringify(filter))
    }
    // The cursor of a list without `until`.
    const { next } = await log.list({}, { limit: 1, before: null })
    const earlier = await log.list({ until: t0 + 3_000 }, { limit: 9, before: next })
    assert.deepEqual(sequences(earlier.rows), [2, 1])
    await opened.close()
  })

  test('a page of a filter that few events meet examines a bounded number and continues where it stopped', async () => {
    const opened = await open()
    const events = Array.from({ length: 20_050 }, (_, index) =>
      sealedEventOf(index + 1, {
        type: index === 10 || index === 20 ? 'tenant.updated' : 'session.created',
        outcome: index === 20_030 ? 'refused' : 'done',
        subjectId: index === 10 ? 'bob' : 'ada',
        actorId: 'ada',
      }),
    )
    const log = await withEvents(opened, events)
    const byIndex = [{}, { subjectId: 'ada' }, { actorId: 'ada' }]
    for (const index of byIndex) {
      const rare = { ...index, type: 'tenant.updated' }
      const first = await log.list(rare, { limit: 10, before: null })
      assert.deepEqual(first, { rows: [], next: events[50]!.id })
      const rest = await log.list(rare, { limit: 10, before: first.next })
      assert.deepEqual([sequences(rest.rows), rest.next], ['subjectId' in index ? [21] : [21, 11], null])
      // A full page does not look for more than it shows.
      const full = await log.list({ ...index, outcome: 'refused' }, { limit: 1, before: null })
      assert.deepEqual([sequences(full.rows), full.next], [[20_031], events[19_550]!.id])
      assert.deepEqual(await listAll(log, { ...index, outcome: 'refused' }, 1), [20_031])
    }
    await opened.close()
  })

  test('lists the events of an actor about themselves and about others together, in sections of any size', async () => {
    const opened = await open()
    const events = Array.from({ length: 1_600 }, (_, index) =>
      sealedEventOf(index + 1, {
        outcome: index % 97 === 0 || index > 1_590 ? 'refused' : 'done',
        // First about others, then about themselves, then both in turn.
        subjectId: index < 600 ? null : index < 1_200 || index % 2 === 0 ? 'ada' : 'bob',
        actorId: index % 5 === 4 ? 'bob' : 'ada',
      }),
    )
    const log = await withEvents(opened, events)
    for (const filter of [{ actorId: 'ada' }, { actorId: 'ada', outcome: 'refused' }] as const) {
      const expected = events.filter(
        ({ actorId, outcome }) => actorId === 'ada' && (!('outcome' in filter) || outcome === filter.outcome),
      )
      for (const limit of 'outcome' in filter ? [1, 3, 100] : [49, 700])
        assert.deepEqual(await listAll(log, filter, limit), sequences(expected).reverse(), JSON.stringify(filter))
    }
    await opened.close()
  })

  test('lists each event about or by a user once, newest first', async () => {
    const opened = await open()
    const log = await withEvents(
      opened,
      Array.from({ length: 30 }, (_, index) =>
        sealedEventOf(index + 1, {
          subjectId: index % 3 === 0 ? 'bob' : 'ada',
          actorId: index % 2 === 0 ? 'ada' : null,
        }),
      ),
    )
    const own = Array.from({ length: 30 }, (_, index) => 30 - index).filter((n) => (n - 1) % 3 !== 0 || n % 2 === 1)
    for (const limit of [1, 4, 100]) {
      const listed: number[] = []
      let before: string | null = null
      do {
        const section = await log.listAbout('ada', { limit, before, since: t0 })
        listed.push(...sequences(section.rows))
        before = section.next
      } while (before !== null)
      assert.deepEqual(listed, own)
    }
    const recent = await log.listAbout('ada', { limit: 100, before: null, since: t0 + 29_000 })
    assert.deepEqual(sequences(recent.rows), [30, 29])
    assert.deepEqual((await log.listAbout('eve', { limit: 9, before: null, since: 0 })).rows, [])
    await opened.close()
  })

  test('lists only the events of the user among those with the same id', async () => {
    const opened = await open()
    const log = await withEvents(opened, withOneId('same'))
    for (const limit of [1, 3, 100]) {
      const listed: number[] = []
      let before: string | null = null
      do {
        const section = await log.listAbout('same', { limit, before })
        listed.push(...sequences(section.rows))
        before = section.next
      } while (before !== null)
      assert.deepEqual(listed, [9, 8, 7, 6], `limit ${limit}`)
    }
    assert.deepEqual(await listAll(log, { subjectId: 'same' }, 100), [8, 7, 6, 3, 2, 1])
    assert.deepEqual(await listAll(log, { actorId: 'same' }, 100), [9, 8, 7, 5, 4, 3])
    await opened.close()
  })

  test('reads events by sequence, and batches by number and time', async () => {
    const opened = await open()
    const { storage, execute, close } = opened
    const { eventLog: log } = await newTenant(storage, { id: 'tenant' })
    assert.deepEqual(await log.head(), { batch: 0, sequence: 0, hash: '' })
    assert.deepEqual(await log.between(0, 9, 9), [])
    const events = [1, 2, 3, 4, 5].map((sequence) => sealedEventOf(sequence, { batch: sequence < 3 ? 1 : 2 }))
    const first = batchOf('tenant', events.slice(0, 2), t0)
    const second = { ...batchOf('tenant', events.slice(2, 4), t0 + 10, first), firstSequence: 3 }
    const third = { ...batchOf('tenant', events.slice(4), t0 + 10, second), firstSequence: 5 }
    await execute(storing('tenant', { events, batches: [first, second, third] }))
    assert.deepEqual(await log.head(), { batch: 3, sequence: 5, hash: third.hash })
    assert.deepEqual(await log.between(0, 9, 9), events)
    assert.deepEqual(sequences(await log.between(1, 4, 9)), [2, 3, 4])
    assert.deepEqual(sequences(await log.between(1, 4, 2)), [2, 3])
    const bounds = [
      [0, 5],
      [0, 4],
      [1, 5],
      [0, 2],
    ] as const
    const outside = await Promise.all(bounds.map(([least, most]) => log.outside(least, most)))
    assert.deepEqual(outside, [0, 1, 2, 4])
    assert.deepEqual(await log.batchesBetween(0, 9, 9), [first, second, third])
    assert.deepEqual(await log.batchesBetween(1, 2, 9), [second])
    assert.deepEqual(await log.batchesBetween(0, 3, 1), [first])
    assert.deepEqual(await log.batchesBefore(null, 2), [third, second])
    assert.deepEqual(await log.batchesBefore(2, 2), [first])
    await close()
  })

  test('finds batches by the time of sealing, also where a later batch has an earlier time', async () => {
    const { storage, execute, close } = await open()
    const { eventLog: log } = await newTenant(storage, { id: 'tenant' })
    const events = [1, 2, 3, 4].map((sequence) => sealedEventOf(sequence, { batch: sequence }))
    const batches: StoredBatch[] = []
    for (const [index, time] of [50, 20, 200, 200].entries()) {
      batches.push(batchOf('tenant', events.slice(index, index + 1), t0 + time, batches.at(-1) ?? null))
    }
    await execute(storing('tenant', { events, batches }))
    const found = async (since?: number, until?: number) => {
      const range = await log.batchesSealed({
        since: since === undefined ? undefined : t0 + since,
        until: until === undefined ? undefined : t0 + until,
      })
      return range === null ? null : [range.first, range.last]
    }
    const sinces = await Promise.all([20, 21, 50, 51, 200, 201].map((since) => found(since)))
    assert.deepEqual(sinces, [[1, 4], [1, 4], [1, 4], [3, 4], [3, 4], null])
    const untils = await Promise.all([20, 21, 50, 51, 200, 201].map((until) => found(undefined, until)))
    assert.deepEqual(untils, [null, [2, 2], [2, 2], [1, 2], [1, 2], [1, 4]])
    const both = await Promise.all([found(20, 50), found(50, 200), found(51, 200), found(50, 201)])
    assert.deepEqual(both, [[2, 2], [1, 1], null, [1, 4]])
    await close()
  })

  test('finds whether an event has an id as its subject or actor', async () => {
    const opened = await open()
    const log = await withEvents(opened, [
      sealedEventOf(1, { subjectId: 'ada', actorId: null }),
      sealedEventOf(2, { subjectId: null, actorId: 'bob' }),
      sealedEventOf(3, { subjectId: 'eve', actorId: 'eve' }),
    ])
    for (const id of ['ada', 'bob', 'eve']) assert.equal(await log.mentions(id), true, id)
    assert.equal(await log.mentions('nobody'), false)
    await opened.close()
  })

  test('the deployment has a separate log', async () => {
    const opened = await open()
    const { storage, execute, close } = opened
    const { eventLog } = await newTenant(storage, { id: 'tenant' })
    const events = [sealedEventOf(1)]
    await execute(storing(deployment, { events, batches: [batchOf(deployment, events, t0)] }))
    assert.deepEqual((await storage.system.eventLog.list({}, { limit: 9, before: null })).rows, events)
    assert.deepEqual((await eventLog.list({}, { limit: 9, before: null })).rows, [])
    await close()
  })
}
