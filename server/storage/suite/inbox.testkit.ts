import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxEntry } from '../../delivery/inbox.ts'
import type { Storage } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, entryOf, newTenant, record, t0, tenantOf } from './samples.testkit.ts'

async function addTenant(storage: Storage) {
  const tenant = tenantOf()
  await newTenant(storage, tenant)
  return tenant
}

const someone = 'someone@example.com'

/** The testing channel's inbox: readers can follow it without losing or repeating entries. */
export function inboxTests(open: OpenStorage): void {
  test('stores the inbox entry of a sent message once, whether or not the lease is still held', async () => {
    const { storage, close } = await open()
    const { outbox, inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const entry = entryOf({ id: 'm', tenantId })
    for (let time = 0; time < 2; time++)
      await record(outbox, 'me', [{ tenantId, id: 'm', state: 'sent', inboxEntry: entry }], t0)
    assert.deepEqual(await inbox.list({}, 10), [entry])
    await close()
  })

  test('lists each entry once, by tenant, one-time password and recipient', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const [one, two] = [tenantOf(), tenantOf()]
    for (const tenant of [one, two]) await newTenant(storage, tenant)
    const entries = [
      entryOf({ tenantId: one.id, otpId: 'otp-1', scope: 'otp_signin' }),
      entryOf({ tenantId: one.id, otpId: 'otp-2', recipient: 'other@example.com', createdAt: t0 + 1 }),
      entryOf({ tenantId: two.id, otpId: 'otp-3', createdAt: t0 + 2 }),
    ]
    await inbox.post(entries)
    await inbox.post(entries)
    assert.deepEqual(await inbox.list({}, 10), entries)
    assert.deepEqual(await inbox.list({}, 2), entries.slice(1))
    assert.deepEqual(await inbox.list({ tenantId: one.id }, 10), entries.slice(0, 2))
    assert.deepEqual(await inbox.list({ otpId: 'otp-2' }, 10), [entries[1]])
    assert.deepEqual(await inbox.list({ recipient: someone }, 10), [entries[0], entries[2]])
    assert.deepEqual(await inbox.list({ recipient: someone, tenantId: two.id }, 10), [entries[2]])
    assert.deepEqual(await inbox.list({ otpId: 'otp-2', recipient: someone }, 10), [])
    assert.deepEqual(await inbox.list({ otpId: 'otp-2', tenantId: two.id }, 10), [])
    await close()
  })

  test('an entry stored later comes later, even if its message was created or delivered earlier', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    assert.equal(await inbox.latestPlace(), 0)
    await inbox.post([entryOf({ id: 'm', tenantId }), entryOf({ id: 'x', tenantId })])
    const start = await inbox.latestPlace()
    await inbox.post([entryOf({ id: 'a', tenantId, createdAt: t0 - 1000 })])
    await inbox.post([entryOf({ id: 'z', tenantId }), entryOf({ id: 'm', tenantId })])
    await inbox.post([entryOf({ id: 'b', tenantId })])
    const ids = async (place: number, limit = 10) => (await inbox.after(place, limit)).map(({ id }) => id)
    assert.deepEqual(await ids(0), ['m', 'x', 'a', 'z', 'b'])
    assert.deepEqual(await ids(start), ['a', 'z', 'b'])
    assert.deepEqual(await ids(start, 2), ['a', 'z'])
    assert.deepEqual(await ids((await inbox.placeOf('z'))!), ['b'])
    assert.deepEqual(await ids(await inbox.latestPlace()), [])
    assert.equal(await inbox.placeOf('never posted'), null)
    assert.deepEqual(
      (await inbox.list({}, 10)).map(({ id }) => id),
      ['m', 'x', 'a', 'z', 'b'],
    )
    await close()
  })

  test('a reader who continues from the last entry read misses no entry added in the meantime', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const read: string[] = []
    let place = 0
    let posting = true
    const reading = (async () => {
      for (;;) {
        const last = !posting
        const entries = await inbox.after(place, 7)
        read.push(...entries.map(({ id }) => id))
        place = entries.at(-1)?.place ?? place
        if (last && entries.length === 0) return
      }
    })()
    const posted = await atOnce(200, async () => {
      const entry = entryOf({ tenantId })
      await inbox.post([entry])
      return entry.id
    })
    posting = false
    await reading
    assert.equal(read.length, 200)
    assert.deepEqual(read.toSorted(), posted.toSorted())
    await close()
  })

  test('places are never reused, even after entries are deleted', async () => {
    const { storage, close } = await open()
    const { inbox, tenants } = storage.system
    const [gone, stays] = [await addTenant(storage), await addTenant(storage)]
    await inbox.post([entryOf({ tenantId: gone.id })])
    const place = await inbox.latestPlace()
    await storage.forTenant(gone.id).tenant.markDeleted(t0)
    while (await tenants.erase(gone.id, 10));
    const entry = entryOf({ tenantId: stays.id })
    await inbox.post([entry])
    assert.deepEqual(
      (await inbox.after(place, 10)).map(({ id }) => id),
      [entry.id],
    )
    await close()
  })

  test('a watcher is called with entries once they can be read, until it stops watching', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const told: InboxEntry[][] = []
    const entries = [entryOf({ tenantId }), entryOf({ tenantId })]
    const end = inbox.watch((posted) => told.push([...posted]))
    await inbox.post(entries)
    await inbox.post([])
    end()
    await inbox.post([entryOf({ tenantId })])
    assert.deepEqual(told, [entries])
    await close()
  })

  test('purges entries by age, the oldest first', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const entries = [0, 1, 2, 3, 4].map((age) => entryOf({ tenantId, createdAt: t0 + age }))
    await inbox.post(entries)
    assert.equal(await storage.system.purge('inbox', t0 + 3, 2), true)
    assert.deepEqual(await inbox.list({}, 10), entries.slice(2))
    assert.equal(await storage.system.purge('inbox', t0 + 3, 2), false)
    assert.deepEqual(await inbox.list({}, 10), entries.slice(3))
    await close()
  })
}
