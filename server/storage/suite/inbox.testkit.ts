import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxEntry } from '../../delivery/inbox.ts'
import { eraseTenant } from '../../tenants/erase-deleted-tenants.ts'
import type { Storage } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, claim, entryOf, newTenant, noticeOf, otpOf, record, t0, tenantOf } from './samples.testkit.ts'

async function addTenant(storage: Storage) {
  const tenant = tenantOf()
  await newTenant(storage, tenant)
  return tenant
}

const someone = 'someone@example.com'

/** The testing channel's inbox: readers can follow it without losing or repeating entries. */
export function inboxTests(open: OpenStorage): void {
  test('a sent message becomes an entry of the inbox, once, and only while the lease is held', async () => {
    const { storage, close } = await open()
    const { outbox, inbox } = storage.system
    const tenant = await addTenant(storage)
    const { otps } = storage.forTenant(tenant.id)
    const otp = otpOf({ scope: 'reset_password' })
    await otps.issue(otp, { id: 'm', lease: { owner: 'me', until: t0 + 1_000 } })
    assert.deepEqual(await inbox.list({}, 10), [])
    const entry = entryOf({ id: 'm', tenantId: tenant.id, otpId: otp.id, scope: 'reset_password', createdAt: t0 + 1 })
    const sent = (sealed: string) => [
      { tenantId: tenant.id, id: 'm', state: 'sent', inboxEntry: { ...entry, sealed } } as const,
    ]
    await record(outbox, 'another', sent('of another'), t0)
    await record(outbox, 'me', sent(entry.sealed), t0 + 1)
    await record(outbox, 'me', sent('again'), t0 + 2)
    assert.deepEqual(await inbox.list({}, 10), [entry])
    assert.deepEqual(await inbox.list({ otpId: otp.id, recipient: otp.recipient, tenantId: tenant.id }, 10), [entry])
    await close()
  })

  test('an entry keeps its recipient when the message’s is erased', async () => {
    const { storage, close } = await open()
    const { outbox, inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const { messages } = storage.forTenant(tenantId)
    const lease = { owner: 'me', until: t0 + 1_000 }
    await storage.forTenant(tenantId).otps.issue(otpOf({ userId: 'u' }), { id: 'code', lease })
    await messages.notify(noticeOf({ id: 'notice', kind: 'account_deleted', userId: null }))
    await claim(outbox, 'me', t0, t0 + 1_000, 10)
    const sent = (id: string) => ({ tenantId, id, state: 'sent', inboxEntry: entryOf({ id, tenantId }) }) as const
    await record(outbox, 'me', [sent('code'), { ...sent('notice'), forgetRecipient: true }], t0)
    await messages.forgetRecipients('u')
    const stored = await Promise.all(['code', 'notice'].map((id) => messages.find(id)))
    assert.deepEqual(
      stored.map((message) => message?.recipient),
      ['', ''],
    )
    assert.deepEqual(
      (await inbox.list({ recipient: someone }, 10)).map(({ id }) => id),
      ['code', 'notice'],
    )
    await close()
  })

  test('a test message is in the inbox and in no list of messages', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const { id: tenantId } = await addTenant(storage)
    const { messages } = storage.forTenant(tenantId)
    const entry = entryOf({ tenantId, otpId: 'sample' })
    await inbox.post([entry])
    assert.equal((await inbox.list({}, 10)).length, 1)
    assert.equal(await messages.find(entry.id), null)
    for (const filter of [{}, { state: 'sent' }, { otpId: 'sample' }, { recipient: someone }] as const)
      assert.deepEqual(await messages.list({ ...filter, limit: 10, cursor: null }), [])
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

  test('a cleared entry loses what it said and its recipient, and keeps its place for readers', async () => {
    const { storage, close } = await open()
    const { inbox } = storage.system
    const [one, two] = [await addTenant(storage), await addTenant(storage)]
    const first = entryOf({ id: 'a', tenantId: one.id, otpId: 'otp' })
    const rest = [entryOf({ id: 'b', tenantId: two.id }), entryOf({ id: 'c', tenantId: one.id })]
    await inbox.post([first, ...rest])
    const { messages } = storage.forTenant(one.id)
    const places = (await inbox.after(0, 10)).map(({ place }) => place)
    assert.equal(await messages.clearPosted(0, places[0]!), 1)
    assert.equal(await messages.clearPosted(0, places[0]!), 0)
    for (const filter of [{}, { tenantId: one.id }, { recipient: first.recipient }])
      assert.ok((await inbox.list(filter, 10)).every(({ id }) => id !== first.id))
    assert.deepEqual(await inbox.list({ otpId: 'otp' }, 10), [])
    assert.deepEqual(await inbox.list({}, 10), rest)
    assert.equal(await inbox.placeOf(first.id), places[0])
    assert.equal(await messages.clearPosted(0, places[2]!), 1)
    assert.deepEqual(await inbox.list({}, 10), [rest[0]])
    assert.deepEqual(
      (await inbox.after(0, 10)).map(({ place }) => place),
      [places[1]],
    )
    await inbox.post([first, entryOf({ id: 'd', tenantId: one.id })])
    assert.deepEqual(
      (await inbox.after(places[0]!, 10)).map(({ id }) => id),
      ['b', 'd'],
    )
    await close()
  })

  test('places are never reused, even after entries are deleted', async () => {
    const { storage, close } = await open()
    const { inbox, tenants } = storage.system
    const [gone, stays] = [await addTenant(storage), await addTenant(storage)]
    await inbox.post([entryOf({ tenantId: gone.id })])
    const place = await inbox.latestPlace()
    await tenants.markDeleted(gone.id, t0)
    await eraseTenant(tenants, gone.id, 10)
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
}
