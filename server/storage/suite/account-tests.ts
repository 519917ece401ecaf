import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserFilter } from '../../accounts/user.ts'
import type { OpenStorage } from './opened-storage.ts'
import { atOnce, newTenant, profileOf, t0, userOf } from './samples.ts'

const signInForever = { capability: 'sign_in', reason: null, until: null } as const

/** Users and their profiles. */
export function accountTests(open: OpenStorage): void {
  test('an address is one user’s within its tenant, and free in every other', async () => {
    const { storage, close } = await open()
    const [{ users }, other] = [await newTenant(storage), await newTenant(storage)]
    const user = userOf({ email: 'a@b.example', phone: '+33100000000' })
    assert.equal(await users.add(user, null), null)
    assert.equal(await users.add(userOf({ email: user.email }), null), 'email')
    assert.equal(await users.add(userOf({ phone: user.phone }), null), 'phone')
    assert.equal(await users.add(userOf({ email: user.email, phone: user.phone }), null), 'email')
    assert.equal(await other.users.add(user, null), null)
    assert.equal(await users.add(userOf({ guest: true }), null), null)
    assert.equal(await users.add(userOf({ guest: true }), null), null)
    await assert.rejects(users.add(userOf({ id: user.id }), null), /There is a user/)
    const taken = await atOnce(20, () => users.add(userOf({ email: 'race@b.example' }), null))
    assert.equal(taken.filter((answer) => answer === null).length, 1)
    await close()
  })

  test('a user is found by id and by address, with the credential', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ email: 'a@b.example', emailVerifiedAt: t0, guest: true, restrictions: [signInForever] })
    await users.add(user, 'hash')
    const stored = { ...user, hasPassword: true }
    await users.add(userOf({ id: 'later', phone: '+33100000000' }), null)
    assert.deepEqual(await users.find(user.id), stored)
    assert.deepEqual(await users.findByEmail('a@b.example'), { user: stored, passwordHash: 'hash' })
    assert.equal(await users.findByEmail('A@b.example'), null)
    assert.equal(await users.find('unknown'), null)
    const list = (filter: UserFilter) => users.list({ limit: 5, cursor: null, ...filter })
    assert.deepEqual(await list({ email: 'a@b.example' }), [stored])
    assert.deepEqual(await list({ email: 'a@b.example', idPrefix: 'later' }), [])
    assert.deepEqual(
      (await list({ phone: '+33100000000' })).map(({ id }) => id),
      ['later'],
    )
    assert.deepEqual(await list({ email: 'a@b.example', phone: '+33100000000' }), [])
    assert.deepEqual(
      (await list({ idPrefix: 'lat' })).map(({ id }) => id),
      ['later'],
    )
    assert.deepEqual(await list({ idPrefix: user.id.slice(0, 20) }), [stored])
    assert.equal((await users.findByPhone('+33100000000'))?.id, 'later')
    assert.deepEqual(await users.list({ limit: 5, cursor: user.id, email: 'a@b.example' }), [])
    assert.equal(await users.remove(user.id), true)
    assert.equal(await users.remove(user.id), false)
    await close()
  })

  test('a password is reset for who has one, and proves the address; the first proof stays', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'with', email: 'a@b.example' }), 'old')
    await users.add(userOf({ id: 'without', email: 'c@d.example' }), null)
    await users.add(userOf({ id: 'phone', phone: '+33100000000' }), 'old')
    assert.equal(await users.resetPassword('without', 'new', t0), false)
    assert.equal(await users.resetPassword('with', 'new', t0 + 1), true)
    assert.equal(await users.resetPassword('with', 'newer', t0 + 2), true)
    assert.equal(await users.resetPassword('phone', 'new', t0), true)
    const found = await users.findByEmail('a@b.example')
    assert.deepEqual(
      [found?.passwordHash, found?.user.emailVerifiedAt, found?.user.updatedAt],
      ['newer', t0 + 1, t0 + 2],
    )
    assert.equal((await users.find('phone'))?.emailVerifiedAt, null)
    assert.equal((await users.findByEmail('c@d.example'))?.passwordHash, null)
    await close()
  })

  test('a password is confirmed and rehashed only while it is the one that was verified', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email: 'a@b.example' }), 'hash')
    const hash = async () => (await users.findByEmail('a@b.example'))?.passwordHash
    assert.equal(await users.confirmPassword('u', 'hash'), true)
    assert.equal(await users.confirmPassword('u', 'other'), false)
    await users.rehashPassword('u', 'other', 'rehashed')
    assert.equal(await hash(), 'hash')
    await users.rehashPassword('u', 'hash', 'rehashed')
    assert.equal(await hash(), 'rehashed')
    await close()
  })

  test('an address is marked verified while it is the user’s, and capabilities are replaced', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email: 'a@b.example', phone: '+33100000000' }), null)
    assert.equal(await users.markVerified('u', { email: 'other@b.example' }, t0), false)
    assert.equal(await users.markVerified('u', { email: 'a@b.example' }, t0 + 1), true)
    assert.equal(await users.markVerified('u', { phone: '+33100000000' }, t0 + 2), true)
    const user = await users.find('u')
    assert.deepEqual([user?.emailVerifiedAt, user?.phoneVerifiedAt], [t0 + 1, t0 + 2])
    const suspension = { reason: 'spam', until: t0 + 9 }
    const restricted = { ...user, restrictions: [signInForever], updatedAt: t0 + 3 }
    assert.deepEqual(await users.restrict('u', { restrictions: [signInForever] }, t0 + 3), restricted)
    assert.deepEqual(await users.restrict('u', { suspension }, t0 + 3), { ...restricted, suspension })
    assert.deepEqual((await users.restrict('u', { restrictions: [] }, t0 + 3))?.suspension, suspension)
    assert.deepEqual((await users.restrict('u', { suspension: null }, t0 + 3))?.suspension, null)
    assert.equal(await users.restrict('unknown', {}, t0), null)
    await close()
  })

  test('32 first saves of one user’s profile at once: one is made', async () => {
    const { storage, dump, close } = await open()
    const { profiles } = await newTenant(storage)
    const saved = await atOnce(32, () => profiles.save(profileOf({ userId: 'u' }), null))
    assert.equal(saved.filter(Boolean).length, 1)
    assert.equal((await dump())['profiles']?.length, 1)
    await close()
  })

  test('a profile is saved over the one that was read, and not over a later one', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    const first = profileOf({ userId: 'u', values: { nickName: 'Ann', tags: ['x'] } })
    await profiles.save(first, null)
    const read = await profiles.find('u')
    assert.deepEqual(read, { ...first, revision: 1 })
    const next = { ...first, values: { nickName: 'Bea' } }
    assert.equal(await profiles.save(next, read), true)
    assert.equal(await profiles.save({ ...first, values: {} }, read), false)
    assert.deepEqual(await profiles.find('u'), { ...next, revision: 2 })
    await profiles.remove('u')
    assert.equal(await profiles.find('u'), null)
    await profiles.save(profileOf({ userId: 'u' }), null)
    assert.equal(await profiles.save(next, read), false, 'made anew, it is at the revision that was read again')
    await close()
  })

  test('profiles are listed in pages, on request those of other versions only', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    for (const id of ['p3', 'p1', 'p2']) {
      await profiles.save(profileOf({ id, schemaVersion: id === 'p2' ? '2' : '1' }), null)
    }
    const page = async (request: Parameters<typeof profiles.list>[0]) =>
      (await profiles.list(request)).map(({ id }) => id)
    assert.deepEqual(await page({ limit: 2, cursor: null }), ['p1', 'p2'])
    assert.deepEqual(await page({ limit: 2, cursor: 'p2' }), ['p3'])
    assert.deepEqual(await page({ limit: 5, cursor: null, notVersion: '2' }), ['p1', 'p3'])
    await close()
  })
}
