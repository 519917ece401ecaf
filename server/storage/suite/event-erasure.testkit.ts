import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventErasureStore, eventRoles } from '../../events/erasure.ts'
import type { SealedEvent } from '../../events/sealed-log.ts'
import { currentKey, sealBatch, trustedKey } from '../../events/verify/sample-log.testkit.ts'
import { verifyStoredLog } from '../../events/verify/stored-log.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, t0, userOf } from './samples.testkit.ts'
import { batchOf, sealedEventOf, storing, withOneId } from './sealed-log.testkit.ts'

/** An operator's act on a user, without its personal part. */
const about = (sequence: number, changes: Partial<SealedEvent> = {}): SealedEvent =>
  sealedEventOf(sequence, { actorKind: 'operator', actorId: 'root', subjectId: 'ada', personal: null, ...changes })
const deletion = (sequence: number, subjectId = 'ada') => about(sequence, { type: 'user.deleted', subjectId })
const creation = (sequence: number, changes: Partial<SealedEvent> = {}) =>
  about(sequence, { type: 'user.created', personal: sealedEventOf(sequence).personal, ...changes })
/** Logs where `ada` and `bob` exist, and the events whose personal part is missing without an erasure. */
const logs: Record<string, [SealedEvent[], number[]]> = {
  'a deletion explains what is missing up to it': [[about(1), deletion(2), about(3)], [3]],
  'the newest deletion counts': [[about(1), deletion(2), about(3), deletion(4), about(5)], [5]],
  'a creation explains what is missing before it': [[about(1), deletion(2), about(3), creation(4), about(5)], [5]],
  'a creation explains it without a deletion': [[about(1), creation(2), about(3)], [3]],
  'a creation does not explain an event of the same request': [[about(1, { at: t0 + 2_000 }), creation(2)], [1]],
  'a creation does not explain itself': [[creation(1, { personal: null })], [1]],
  'the deletion of another user does not explain it': [[about(1), deletion(2, 'bob')], [1]],
  'the deletion of the actor explains it': [
    [about(1, { actorKind: 'user', actorId: 'ada', subjectId: 'bob' }), deletion(2)],
    [],
  ],
  'the id of an operator is not that of a user': [[about(1, { actorId: 'ada', subjectId: 'bob' }), deletion(2)], [1]],
}

/** How the events of `same` are erased. */
const erasures: Record<string, (erasures: EventErasureStore) => Promise<unknown>> = {
  'the newest events': (erasures) => erasures.start('same', t0),
  'older events': (erasures) => Promise.all(eventRoles.map((role) => erasures.eraseNext('same', role, ''))),
}

/** Erasures of users, and how verification explains them. */
export function eventErasureTests(open: OpenStorage): void {
  for (const [what, erase] of Object.entries(erasures)) {
    test(`erasing ${what} of a user leaves those of others with the same id`, async () => {
      const opened = await open()
      const events = withOneId('same')
      const stores = await newTenant(opened.storage, { id: 'tenant' })
      await opened.execute(storing('tenant', { events, batches: [batchOf('tenant', events, t0)] }))
      for (const { sequence: _sequence, batch: _batch, ...event } of events) await stores.events.add(event)
      await erase(stores.eventErasures)
      const { events: sealed, event_queue: queued } = await opened.dump()
      const kept = (rows: typeof sealed) =>
        events.flatMap(({ id, sequence }) =>
          rows!.some((row) => row['id'] === id && row['personal'] !== null) ? [sequence] : [],
        )
      assert.deepEqual(kept(sealed), [1, 2, 3, 4, 5])
      if (what === 'the newest events') assert.deepEqual(kept(queued), [1, 2, 3, 4, 5])
      await opened.close()
    })
  }

  test('finds whether the erasure of a user is unfinished', async () => {
    const opened = await open()
    const { eventErasures } = await newTenant(opened.storage)
    assert.equal(await eventErasures.isUnfinished('ada'), false)
    await eventErasures.start('ada', t0)
    assert.equal(await eventErasures.isUnfinished('ada'), true)
    await eventErasures.finish('ada')
    assert.equal(await eventErasures.isUnfinished('ada'), false)
    await opened.close()
  })

  test('tells erased persons from persons whose events lost a part', async () => {
    const opened = await open()
    const { storage, execute, close } = opened
    const { eventLog: log, users } = await newTenant(storage, { id: 'tenant' })
    await users.add(userOf({ id: 'ada' }), null)
    const person = (sequence: number, subjectId: string, actorId = 'key') =>
      sealedEventOf(sequence, {
        subjectId,
        actorId,
        actorKind: actorId === 'key' ? 'tenantKey' : 'user',
        personal: null,
      })
    const events = [
      person(1, 'ada'),
      person(2, 'gone'),
      person(3, 'ada', 'gone'),
      sealedEventOf(4, { subjectId: 'ada' }),
      { ...person(5, 'gone'), subjectKind: 'otp' as const },
      person(6, 'ada'),
    ]
    await execute(storing('tenant', { events, batches: [batchOf('tenant', events, t0)] }))
    assert.deepEqual(
      (await log.notErased(1, 5)).map(({ sequence }) => sequence),
      [1, 5],
    )
    assert.deepEqual(await log.notErased(2, 6), [
      { sequence: 5, at: t0 + 5_000, userIds: [] },
      { sequence: 6, at: t0 + 6_000, userIds: ['ada'] },
    ])
    await close()
  })

  for (const [what, [events, unexplained]] of Object.entries(logs)) {
    test(`where a deleted user was imported again, ${what}`, async () => {
      const opened = await open()
      const { eventLog: log, users } = await newTenant(opened.storage, { id: 'tenant' })
      await opened.execute(storing('tenant', { events, batches: [sealBatch('tenant', events, null, currentKey)] }))
      for (const id of ['ada', 'bob']) await users.add(userOf({ id }), null)
      const options = { tenantId: 'tenant', publicKey: trustedKey, fromBatch: 1, onSlice: () => {} }
      const { faults } = await verifyStoredLog({ log, ...options })
      assert.deepEqual(
        faults.map(({ sequence }) => sequence),
        unexplained,
      )
      await opened.close()
    })
  }
}
