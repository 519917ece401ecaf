import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User, UserFilter } from '../../accounts/user.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0, userOf } from './samples.testkit.ts'

const signInForever = { capability: 'sign_in', reason: null, until: null } as const
const uploadForAWhile = { capability: 'upload', reason: 'spam', until: t0 + 9 } as const

/** The ids of listed users. */
const idsOf = (users: readonly User[]) => users.map(({ id }) => id).join(' ')

/** Users: finding, listing, locking and restricting them. */
export function userTests(open: OpenStorage): void {
  test('finds a user by id and by address, with the credential', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const suspension = { reason: null, until: t0 + 9 }
    const user = userOf({ email: 'a@b.example', emailVerifiedAt: t0, guest: true, suspension, lastActiveAt: t0 + 5 })
    await users.add({ ...user, restrictions: [signInForever, uploadForAWhile] }, 'hash')
    const stored = { ...user, restrictions: [signInForever, uploadForAWhile], hasPassword: true }
    assert.deepEqual(await users.find(user.id), stored)
    assert.deepEqual(await users.lock(user.id), stored)
    assert.deepEqual(await users.findByEmail('a@b.example'), { user: stored, passwordHash: 'hash' })
    assert.equal(await users.findByEmail('A@b.example'), null)
    assert.deepEqual(await users.findCredential(user.id), { user: stored, passwordHash: 'hash' })
    assert.equal(await users.findCredential('unknown'), null)
    const other = userOf({ phone: '+33100000000', phoneVerifiedAt: t0 })
    await users.add(other, null)
    assert.deepEqual(await users.findByPhone('+33100000000'), other)
    assert.equal(await users.findByPhone('+33100000001'), null)
    assert.equal(await users.find('unknown'), null)
    assert.equal(await users.lock('unknown'), null)
    assert.equal(await users.remove(user.id), true)
    assert.equal(await users.remove(user.id), false)
    assert.equal(await users.find(user.id), null)
    await close()
  })

  test('lists users in id order, in pages, by address and by id prefix', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'b2' }), null)
    await users.add(userOf({ id: 'a1', email: 'a@b.example', phone: '+33100000000' }), 'hash')
    await users.add(userOf({ id: 'b1', phone: '+33100000001' }), null)
    const list = async (filter: UserFilter, limit = 5, cursor: string | null = null) =>
      idsOf(await users.list({ ...filter, limit, cursor }))
    const expected: [UserFilter, string][] = [
      [{}, 'a1 b1 b2'],
      [{ idPrefix: 'b' }, 'b1 b2'],
      [{ idPrefix: 'b2' }, 'b2'],
      [{ idPrefix: 'B' }, ''],
      [{ email: 'a@b.example' }, 'a1'],
      [{ email: 'a@b.example', idPrefix: 'a' }, 'a1'],
      [{ email: 'a@b.example', idPrefix: 'b' }, ''],
      [{ phone: '+33100000001' }, 'b1'],
      [{ phone: '+33100000001', idPrefix: 'a' }, ''],
      [{ email: 'a@b.example', phone: '+33100000000' }, 'a1'],
      [{ email: 'a@b.example', phone: '+33100000001' }, ''],
      [{ email: 'nobody@b.example' }, ''],
    ]
    for (const [filter, ids] of expected) {
      assert.equal(await list(filter), ids, JSON.stringify(filter))
      const [first = '', ...rest] = ids.split(' ')
      assert.equal(await list(filter, 1), first)
      assert.equal(await list(filter, 5, first), first === '' ? '' : rest.join(' '), `${JSON.stringify(filter)} after`)
    }
    const credentials = async (limit: number, cursor: string | null) =>
      (await users.listCredentials({ limit, cursor })).map(({ user, passwordHash }) => [user.id, passwordHash])
    assert.deepEqual(await credentials(2, null), [
      ['a1', 'hash'],
      ['b1', null],
    ])
    assert.deepEqual(await credentials(2, 'b1'), [['b2', null]])
    await close()
  })

  test('20 transactions that lock one user and change it lose no change', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await tenant.users.add(userOf({ id: 'u' }), null)
    await atOnce(20, (index) =>
      tenant.write(async ({ users }) => {
        const locked = await users.lock('u')
        const restriction = { ...uploadForAWhile, reason: `${index}` }
        await users.restrict('u', { restrictions: [...locked!.restrictions, restriction] }, t0)
      }),
    )
    assert.equal((await tenant.users.find('u'))?.restrictions.length, 20)
    await close()
  })

  test('touch stores the time of a sign-in and makeFull ends a guest; an unknown id changes nothing', async () => {
    const { storage, dump, close } = await open()
    const { users } = await newTenant(storage)
    const guest = userOf({ id: 'u', guest: true })
    await users.add(guest, null)
    assert.equal(await users.touch('u', t0 + 5), true)
    assert.deepEqual(await users.find('u'), { ...guest, lastActiveAt: t0 + 5 })
    await users.makeFull('u', t0 + 6)
    assert.deepEqual(await users.find('u'), { ...guest, guest: false, lastActiveAt: t0 + 5, updatedAt: t0 + 6 })
    const before = await dump()
    assert.equal(await users.touch('unknown', t0 + 9), false)
    await users.makeFull('unknown', t0 + 9)
    assert.deepEqual(await dump(), before)
    await close()
  })

  test('restrict replaces restrictions and suspension independently', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ id: 'u', email: 'a@b.example' })
    await users.add(user, null)
    const suspension = { reason: 'spam', until: t0 + 9 }
    const restricted = { ...user, restrictions: [signInForever, uploadForAWhile], updatedAt: t0 + 1 }
    assert.deepEqual(await users.restrict('u', { restrictions: restricted.restrictions }, t0 + 1), restricted)
    const suspended = { ...restricted, suspension, updatedAt: t0 + 2 }
    assert.deepEqual(await users.restrict('u', { suspension }, t0 + 2), suspended)
    assert.deepEqual(await users.restrict('u', {}, t0 + 3), { ...suspended, updatedAt: t0 + 3 })
    const freed = { ...suspended, restrictions: [], updatedAt: t0 + 4 }
    assert.deepEqual(await users.restrict('u', { restrictions: [] }, t0 + 4), freed)
    const both = { restrictions: [signInForever], suspension: null }
    assert.deepEqual(await users.restrict('u', both, t0 + 5), { ...user, ...both, updatedAt: t0 + 5 })
    assert.deepEqual(await users.find('u'), { ...user, ...both, updatedAt: t0 + 5 })
    assert.equal(await users.restrict('unknown', both, t0), null)
    await close()
  })

  test('a restriction and a suspension set at once are both kept', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u' }), null)
    const suspension = { reason: 'spam', until: null }
    await atOnce(20, (index) =>
      users.restrict('u', index % 2 === 0 ? { suspension } : { restrictions: [signInForever] }, t0),
    )
    const user = await users.find('u')
    assert.deepEqual([user?.restrictions, user?.suspension], [[signInForever], suspension])
    await close()
  })

  test('idleGuests returns guests only, the longest idle first, up to a limit', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    for (const [id, idleSince] of Object.entries({ third: 3, first: 1, second: 2, touched: 1, linked: 1 })) {
      await users.add(userOf({ id, guest: true, lastActiveAt: t0 + idleSince }), null)
    }
    await users.add(userOf({ id: 'full', lastActiveAt: t0 }), null)
    await users.touch('touched', t0 + 9)
    await users.makeFull('linked', t0 + 9)
    assert.deepEqual(await users.idleGuests(t0 + 4, 10), ['first', 'second', 'third'])
    assert.deepEqual(await users.idleGuests(t0 + 4, 2), ['first', 'second'])
    assert.deepEqual(await users.idleGuests(t0 + 3, 10), ['first', 'second'])
    assert.deepEqual(await users.idleGuests(t0 + 1, 10), [])
    await close()
  })
}
