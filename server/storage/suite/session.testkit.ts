import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rotation, Session } from '../../accounts/sessions/session.ts'
import type { TenantStorage } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, sessionOf, t0, userOf } from './samples.testkit.ts'

const phone = { userAgent: 'phone', network: '192.0.2.0/24' }
const laptop = { userAgent: null, network: '2001:db8::/48' }
const idleExpiresAt = t0 + 1_500_000

/** Exchanges the first token of a session for the next one. */
const rotationOf = (changes: Partial<Rotation> = {}): Rotation => ({
  ...{ from: 'first', to: 'second', now: t0 + 5, idleExpiresAt, device: laptop },
  ...changes,
})

/** Sessions: refreshing, ending and listing them. */
export function sessionTests(open: OpenStorage): void {
  /** A stored session of `u` whose token is `first`. */
  async function begun({ sessions }: TenantStorage, changes: Partial<Session> = {}, refreshHash = 'first') {
    const session = sessionOf({ userId: 'u', ...changes })
    await sessions.add(session, { refreshHash, amr: ['pwd', 'otp'] }, phone)
    return session
  }

  test('a refresh replaces the token and stores the previous one with the time', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const session = await begun(tenant)
    const stored = { ...session, amr: ['pwd', 'otp'], refreshHash: 'first', previousRefreshHash: null, rotatedAt: null }
    assert.deepEqual(await sessions.find(session.id), stored)
    assert.equal(await sessions.rotate(session.id, rotationOf()), true)
    const rotated = { ...stored, idleExpiresAt, lastUsedAt: t0 + 5 }
    const second = { refreshHash: 'second', previousRefreshHash: 'first', rotatedAt: t0 + 5 }
    assert.deepEqual(await sessions.find(session.id), { ...rotated, ...second })
    assert.deepEqual(await sessions.listOf('u', t0), [{ ...session, ...laptop, idleExpiresAt, lastUsedAt: t0 + 5 }])
    assert.equal(await sessions.rotate(session.id, rotationOf({ to: 'another' })), false, 'used up')
    assert.deepEqual(await sessions.find(session.id), { ...rotated, ...second })
    assert.equal(await sessions.rotate(session.id, rotationOf({ from: 'second', to: 'third', now: t0 + 6 })), true)
    const third = { refreshHash: 'third', previousRefreshHash: 'second', rotatedAt: t0 + 6, lastUsedAt: t0 + 6 }
    assert.deepEqual(await sessions.find(session.id), { ...rotated, ...third })
    assert.equal(await sessions.find('unknown'), null)
    assert.equal(await sessions.rotate('unknown', rotationOf()), false)
    await close()
  })

  test('finds a session with its user, or without one once the user is deleted', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions, users } = tenant
    const user = userOf({ id: 'u', email: 'a@b.example', guest: false, hasPassword: true })
    await users.add(user, 'hash')
    const { id } = await begun(tenant)
    const session = await sessions.find(id)
    assert.deepEqual(await sessions.findWithUser(id), { session, user })
    await users.remove('u')
    assert.deepEqual(await sessions.findWithUser(id), { session, user: null })
    assert.equal(await sessions.findWithUser('unknown'), null)
    await close()
  })

  test('rejects a refresh of a session that is revoked, idle for too long or expired', async () => {
    const { storage, dump, close } = await open()
    const tenant = await newTenant(storage)
    const now = t0 + 5
    const over = [{ revokedAt: t0 }, { idleExpiresAt: now }, { expiresAt: now }]
    for (const [index, changes] of over.entries()) {
      const from = `token ${index}`
      const { id } = await begun(tenant, changes, from)
      const before = await dump()
      assert.equal(await tenant.sessions.rotate(id, rotationOf({ from, now })), false, JSON.stringify(changes))
      assert.deepEqual(await dump(), before)
    }
    const { id } = await begun(tenant, { idleExpiresAt: now + 1, expiresAt: now + 1 })
    assert.equal(await tenant.sessions.rotate(id, rotationOf({ now })), true)
    await close()
  })

  test('of 20 refreshes with one token at once, one applies', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { id } = await begun(tenant)
    const won = await atOnce(20, (index) => tenant.sessions.rotate(id, rotationOf({ to: `next ${index}` })))
    assert.equal(won.filter(Boolean).length, 1)
    const stored = await tenant.sessions.find(id)
    assert.deepEqual([stored?.refreshHash, stored?.previousRefreshHash], [`next ${won.indexOf(true)}`, 'first'])
    await close()
  })

  test('a refresh and a sign-out at once leave the session revoked, and later refreshes are rejected', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { id } = await begun(tenant)
    const [rotated] = await Promise.all([
      tenant.sessions.rotate(id, rotationOf()),
      tenant.sessions.revoke('u', id, t0 + 5),
    ])
    assert.equal((await tenant.sessions.find(id))?.revokedAt, t0 + 5)
    const from = rotated ? 'second' : 'first'
    assert.equal(await tenant.sessions.rotate(id, rotationOf({ from, to: 'third' })), false)
    await close()
  })

  test('lists live sessions only, the last used first', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const now = t0 + 50
    const kinds: Record<string, Partial<Session>> = {
      ...{ early: { lastUsedAt: t0 + 1 }, late: { lastUsedAt: t0 + 3 }, between: { lastUsedAt: t0 + 2 } },
      ...{ revoked: { revokedAt: t0 }, idle: { idleExpiresAt: now }, ended: { expiresAt: now } },
      ...{ 'another user’s': { userId: 'other' } },
    }
    for (const [id, changes] of Object.entries(kinds)) await begun(tenant, { id, ...changes }, `token of ${id}`)
    const listed = async (at: number) => (await sessions.listOf('u', at)).map(({ id }) => id)
    assert.deepEqual(await listed(now), ['late', 'between', 'early'])
    assert.deepEqual((await listed(now - 1)).sort(), ['between', 'early', 'ended', 'idle', 'late'])
    await sessions.rotate('early', rotationOf({ from: 'token of early', now }))
    assert.deepEqual(await listed(now), ['early', 'late', 'between'])
    assert.deepEqual(await sessions.listOf('unknown', now), [])
    const all = (await sessions.listAllOf('u')).map(({ id }) => id)
    assert.deepEqual(all, ['between', 'early', 'ended', 'idle', 'late', 'revoked'])
    assert.deepEqual(await sessions.listAllOf('unknown'), [])
    await close()
  })

  test('a network is known if a session last used there is live or ended after the given time', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const { id, idleExpiresAt } = await begun(tenant)
    const known = (network: string, since = t0 + 5) => sessions.isKnownNetwork('u', network, since)
    assert.deepEqual([await known(phone.network), await known(laptop.network)], [true, false])
    assert.equal(await sessions.isKnownNetwork('other', phone.network, t0 + 5), false)
    assert.deepEqual(
      [await known(phone.network, idleExpiresAt - 1), await known(phone.network, idleExpiresAt)],
      [true, false],
    )
    await sessions.rotate(id, rotationOf())
    assert.deepEqual([await known(phone.network), await known(laptop.network)], [false, true])
    await sessions.revoke('u', id, t0 + 6)
    assert.deepEqual([await known(laptop.network, t0 + 5), await known(laptop.network, t0 + 6)], [true, false])
    const over = await begun(tenant, { expiresAt: t0 + 9 }, 'over')
    assert.deepEqual([await known(phone.network, t0 + 8), await known(phone.network, t0 + 9)], [true, false])
    assert.equal((await sessions.find(over.id))?.revokedAt, null)
    await close()
  })

  test('lists at most ten known networks once each, the last used first', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const add = (network: string, changes: Partial<Session>) =>
      sessions.add(
        sessionOf({ userId: 'u', ...changes }),
        { refreshHash: `${network} ${changes.lastUsedAt}`, amr: [] },
        { userAgent: null, network },
      )
    await add('home', { lastUsedAt: t0 + 1 })
    await add('work', { lastUsedAt: t0 + 2 })
    await add('home', { lastUsedAt: t0 + 3, revokedAt: t0 + 6 })
    await add('long ago', { lastUsedAt: t0 + 4, revokedAt: t0 + 5 })
    await add('', { lastUsedAt: t0 + 5 })
    await add('elsewhere', { userId: 'other', lastUsedAt: t0 + 6 })
    assert.deepEqual(await sessions.knownNetworks('u', t0 + 5), ['home', 'work'])
    assert.deepEqual(await sessions.knownNetworks('u', t0 + 6), ['work', 'home'])
    assert.deepEqual(await sessions.knownNetworks('nobody', t0), [])
    for (let place = 0; place < 12; place++) await add(`place ${place}`, { lastUsedAt: t0 + 10 + place })
    const listed = await sessions.knownNetworks('u', t0 + 5)
    assert.deepEqual(
      listed,
      Array.from({ length: 10 }, (_, index) => `place ${11 - index}`),
    )
    await close()
  })

  test('revokes a live session of its own user once', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const [one, other] = [await begun(tenant), await begun(tenant, {}, 'other')]
    const ended = await begun(tenant, { expiresAt: t0 + 5 }, 'ended')
    assert.equal(await sessions.revoke('other', one.id, t0 + 5), false)
    assert.equal(await sessions.revoke('u', ended.id, t0 + 5), false)
    assert.equal(await sessions.revoke('u', 'unknown', t0 + 5), false)
    const revoked = await atOnce(20, (index) => sessions.revoke('u', one.id, t0 + 10 + index))
    assert.equal(revoked.filter(Boolean).length, 1)
    assert.equal((await sessions.find(one.id))?.revokedAt, t0 + 10 + revoked.indexOf(true))
    for (const { id } of [other, ended]) assert.equal((await sessions.find(id))?.revokedAt, null)
    await close()
  })

  test('lockLive changes nothing and rejects sessions that have ended', async () => {
    const { storage, dump, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const live = await begun(tenant)
    const revoked = await begun(tenant, { revokedAt: t0 }, 'second')
    const before = await dump()
    assert.equal(await sessions.lockLive('u', live.id, t0 + 1), true)
    assert.equal(await sessions.lockLive('someone else', live.id, t0 + 1), false)
    assert.equal(await sessions.lockLive('u', revoked.id, t0 + 1), false)
    assert.equal(await sessions.lockLive('u', live.id, live.idleExpiresAt), false)
    assert.deepEqual(await dump(), before)
    await close()
  })

  test('revokes all sessions of a user, or all but one, and returns the live ones; sessions revoked before keep their time', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const ids = ['this', 'that', 'before', 'idle', 'another user’s']
    for (const id of ids) {
      const changes = {
        userId: id === 'another user’s' ? 'other' : 'u',
        revokedAt: id === 'before' ? t0 : null,
        ...(id === 'idle' && { idleExpiresAt: t0 + 1 }),
      }
      await begun(tenant, { id, ...changes }, `token of ${id}`)
    }
    const ends = async () => Promise.all(ids.map(async (id) => (await sessions.find(id))?.revokedAt))
    assert.deepEqual(await sessions.revokeAllOf('u', t0 + 1, 'this'), ['that'])
    assert.deepEqual(await ends(), [null, t0 + 1, t0, t0 + 1, null])
    assert.deepEqual(await sessions.revokeAllOf('u', t0 + 2), ['this'])
    assert.deepEqual(await sessions.revokeAllOf('u', t0 + 3), [])
    assert.deepEqual(await ends(), [t0 + 2, t0 + 1, t0, t0 + 1, null])
    await close()
  })

  test('forgetDevices keeps the sessions and leaves no network known', async () => {
    const { storage, dump, close } = await open()
    const tenant = await newTenant(storage)
    const { sessions } = tenant
    const live = await begun(tenant)
    const revoked = await begun(tenant, { revokedAt: t0 }, 'revoked')
    const other = await begun(tenant, { userId: 'other' }, 'other')
    await sessions.forgetDevices('u')
    assert.deepEqual(await sessions.listOf('u', t0), [{ ...live, userAgent: null, network: '' }])
    assert.deepEqual(await sessions.listOf('other', t0), [{ ...other, ...phone }])
    assert.equal(await sessions.isKnownNetwork('u', phone.network, t0 - 1), false)
    assert.deepEqual(await sessions.knownNetworks('u', t0 - 1), [])
    assert.equal(await sessions.isKnownNetwork('other', phone.network, t0 - 1), true)
    assert.equal((await sessions.find(revoked.id))?.revokedAt, t0)
    const rows = JSON.stringify((await dump())['sessions']?.filter((row) => row['user_id'] === 'u'))
    for (const trace of [phone.userAgent, phone.network]) assert.ok(!rows.includes(trace))
    await close()
  })
}
