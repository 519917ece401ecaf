import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantStorage } from '../storage.ts'
import type { OpenedStorage, OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, messageOf, newTenant, otpOf, profileOf, queuedEventOf, t0, userOf } from './samples.testkit.ts'

/** An act with its event: whether it applied. */
type Act = (stores: Pick<TenantStorage, 'otps' | 'profiles'>, id: string) => Promise<boolean>

const event = (id: string) => queuedEventOf({ id, subjectKind: 'otp', subjectId: id })
const otp = (id: string) => otpOf({ id, resendIntervalSeconds: 0, maxResends: 1 })
const profile = (id: string) => profileOf({ id, userId: id })

/** Writes that applies once: on a one-time password, or a profile, of this id. */
const acts: Record<string, Act> = {
  'otps.resend': async ({ otps }, id) =>
    (await otps.resend(id, 'reset_password', t0 + 1, messageOf(), event(id))).applied,
  'otps.verify': async ({ otps }, id) => (await otps.verify(otp(id), t0 + 1, event(id))).applied,
  'profiles.save of a first profile': ({ profiles }, id) => profiles.save(profile(`new ${id}`), null, event(id)),
  'profiles.save': ({ profiles }, id) =>
    profiles.save({ ...profile(id), values: { nickName: 'Jo' } }, { ...profile(id), revision: 1 }, event(id)),
  'profiles.save of a migrated profile': ({ profiles }, id) =>
    profiles.save({ ...profile(id), schemaVersion: '2' }, { ...profile(id), revision: 1 }, event(id)),
}

const queued = async ({ dump }: OpenedStorage) => (await dump())['event_queue']!.map((row) => row['id'])

async function prepare(tenant: TenantStorage, id: string): Promise<void> {
  await tenant.users.add(userOf({ id, email: `${id}@example.com` }), null)
  await tenant.otps.issue({ ...otp(id), userId: null }, messageOf())
  await tenant.profiles.save(profile(id), null)
}

/** An act and its event are stored together or not at all. */
export function eventQueueTests(open: OpenStorage): void {
  test('stores each member of an event, and the tenant', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage, { id: 't' })
    const added = queuedEventOf({ actorId: 'u', subjectId: null, requestId: null, personal: null })
    await tenant.events.add(added)
    const [row] = (await opened.dump())['event_queue']!
    const expected = Object.entries({ ...added, tenantId: 't' }).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ])
    assert.deepEqual({ ...row, at: Number(row!['at']) }, Object.fromEntries(expected))
    await opened.close()
  })

  test('an event of a transaction is stored with it, before or after its other statements', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage)
    await tenant.write((tx) => tx.events.add(event('alone')))
    await tenant.write(async (tx) => {
      await tx.events.add(event('first'))
      await tx.users.add(userOf({ id: 'u' }), null)
      await tx.events.add(event('last'))
      await tx.events.add(event('the last'))
    })
    assert.notEqual(await tenant.users.find('u'), null)
    assert.deepEqual((await queued(opened)).sort(), ['alone', 'first', 'last', 'the last'])
    await opened.close()
  })

  test('a transaction that fails stores no event, whichever its last statement was', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage)
    for (const ending of [() => tenant.users.find('u'), async () => {}]) {
      const failing = tenant.write(async (tx) => {
        await tx.events.add(event('dropped'))
        if (ending.length > 0) await tx.users.find('u')
        throw new Error('no')
      })
      await assert.rejects(failing, /^Error: no$/)
    }
    assert.deepEqual(await queued(opened), [])
    await opened.close()
  })

  test('a transaction whose event cannot be stored stores nothing', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage)
    const incomplete = { ...event('incomplete'), type: null as never }
    for (const last of [false, true]) {
      const failing = tenant.write(async (tx) => {
        await tx.users.add(userOf({ id: `u ${last}` }), null)
        await tx.events.add(incomplete)
        if (!last) await tx.users.find('u')
      })
      await assert.rejects(failing)
      assert.equal(await tenant.users.find(`u ${last}`), null)
    }
    assert.deepEqual(await queued(opened), [])
    await opened.close()
  })

  for (const [name, act] of Object.entries(acts)) {
    test(`${name} queues its event if it applies, also when it competes with others`, async () => {
      const opened = await open()
      const tenant = await newTenant(opened.storage)
      for (const id of ['one', 'two', 'three']) await prepare(tenant, id)
      const outcomes = await atOnce(8, async () => act(tenant, 'one').catch(() => false))
      assert.equal(outcomes.filter(Boolean).length, 1)
      assert.equal(await tenant.write((tx) => act(tx, 'two')), true)
      assert.equal(await tenant.write((tx) => act(tx, 'two')), false)
      const rolledBack = tenant.write(async (tx) => {
        assert.equal(await act(tx, 'three'), true)
        throw new Error('no')
      })
      await assert.rejects(rolledBack, /^Error: no$/)
      assert.deepEqual((await queued(opened)).sort(), ['one', 'two'])
      await opened.close()
    })
  }

  test('otps.issue queues its event', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage)
    await tenant.otps.issue(otp('one'), messageOf(), event('one'))
    await tenant.write((tx) => tx.otps.issue(otp('two'), messageOf(), event('two')))
    assert.deepEqual((await queued(opened)).sort(), ['one', 'two'])
    await opened.close()
  })

  test('the event of a resend names the user of the one-time password, if it has one', async () => {
    const opened = await open()
    const tenant = await newTenant(opened.storage)
    for (const [id, userId] of [
      ['own', 'u'],
      ['of an address', null],
    ] as const) {
      await tenant.otps.issue({ ...otp(id), userId }, messageOf())
      await tenant.otps.resend(id, 'reset_password', t0 + 1, messageOf(), event(id))
    }
    const rows = (await opened.dump())['event_queue']!
    const subjects = rows.map((row) => [row['id'], row['subject_kind'], row['subject_id']])
    assert.deepEqual(subjects.sort(), [
      ['of an address', 'otp', 'of an address'],
      ['own', 'user', 'u'],
    ])
    await opened.close()
  })
}
