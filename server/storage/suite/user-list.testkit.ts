import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddressSearch, FoundAddresses, User, UserFilter } from '../../accounts/user.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, t0, userOf } from './samples.testkit.ts'

const verified = { email: 'v@b.example', emailVerifiedAt: t0 }
const suspension = { reason: null, until: null }
const restrictions = [{ capability: 'upload', reason: null, until: null }] as const

/** Some users in each state; ids tell when they were made. */
const samples: Readonly<Record<string, Partial<User>>> = {
  a1: verified,
  a2: { ...verified, email: 'v2@b.example', suspension },
  b1: { phone: '+33100000001', phoneVerifiedAt: t0, restrictions },
  b2: { email: 'u@b.example' },
  c1: { guest: true },
  c2: { guest: true, suspension, restrictions },
  d1: { phone: '+33100000002' },
  d2: {},
}

const idsOf = (users: readonly User[]) => users.map(({ id }) => id).join(' ')

/** Lists of users by state and order, and searches by the beginning of an address. */
export function userListTests(open: OpenStorage): void {
  test('lists users by state, oldest or newest first, in pages and by id prefix', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    for (const [id, sample] of Object.entries(samples)) await users.add(userOf({ id, ...sample }), null)
    const expected: [UserFilter, string][] = [
      [{}, 'a1 a2 b1 b2 c1 c2 d1 d2'],
      [{ idPrefix: 'b' }, 'b1 b2'],
      [{ state: 'suspended' }, 'a2 c2'],
      [{ state: 'restricted' }, 'b1 c2'],
      [{ state: 'restricted', idPrefix: 'c' }, 'c2'],
      [{ state: 'guest' }, 'c1 c2'],
      [{ state: 'unverified' }, 'b2 d1 d2'],
      [{ state: 'unverified', idPrefix: 'd' }, 'd1 d2'],
      [{ state: 'suspended', idPrefix: 'd' }, ''],
    ]
    for (const [filter, oldest] of expected) {
      const newest = oldest.split(' ').reverse().join(' ')
      for (const [order, ids] of Object.entries({ oldest, newest }) as ['oldest' | 'newest', string][]) {
        const of = `${order} ${JSON.stringify(filter)}`
        assert.equal(idsOf(await users.list({ ...filter, order, limit: 9, cursor: null })), ids, of)
        const [first = '', ...rest] = ids.split(' ')
        assert.equal(idsOf(await users.list({ ...filter, order, limit: 1, cursor: null })), first, of)
        const after = await users.list({ ...filter, order, limit: 9, cursor: first || 'x' })
        if (first !== '') assert.equal(idsOf(after), rest.join(' '), `${of} after the first`)
      }
    }
    const exact = async (order: 'oldest' | 'newest', cursor: string | null) =>
      idsOf(await users.list({ email: 'u@b.example', order, limit: 9, cursor }))
    assert.deepEqual([await exact('newest', null), await exact('newest', 'c1')], ['b2', 'b2'])
    assert.deepEqual([await exact('newest', 'b2'), await exact('oldest', 'b2')], ['', ''])
    await close()
  })

  test('finds users by the beginning of an address, in the order of addresses, and by state', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const emails = [
      'ada@b.example',
      'ada.l@b.example',
      'adam@b.example',
      'ad@b.example',
      'b@b.example',
      'ada-x@b.example',
    ]
    for (const [index, email] of emails.entries()) {
      const phone = `+3310000000${index}`
      await users.add(userOf({ id: `u${index}`, email, phone, ...(index % 2 === 0 && { suspension }) }), null)
    }
    await users.add(userOf({ id: 'other' }), null)
    const find = (search: AddressSearch, limit = 9, after: string | null = null) =>
      users.search(search, { limit, after })
    const found = async (...request: Parameters<typeof find>) => idsOf((await find(...request)).users)
    // In the order of ASCII: - . @ m
    assert.equal(await found({ kind: 'email', prefix: 'ada' }), 'u5 u1 u0 u2')
    assert.equal(await found({ kind: 'email', prefix: 'ada@' }), 'u0')
    assert.equal(await found({ kind: 'email', prefix: 'b@b.example' }), 'u4')
    assert.equal(await found({ kind: 'email', prefix: 'b@b.example.' }), '')
    assert.equal(await found({ kind: 'email', prefix: 'ADA' }), '')
    assert.equal(await found({ kind: 'email', prefix: '' }), 'u3 u5 u1 u0 u2 u4')
    assert.equal(await found({ kind: 'email', prefix: 'ada', state: 'suspended' }), 'u0 u2')
    assert.equal(await found({ kind: 'email', prefix: 'ada', state: 'guest' }), '')
    assert.equal(await found({ kind: 'email', prefix: 'ad', state: 'unverified' }), 'u3 u5 u1 u0 u2')
    assert.equal(await found({ kind: 'phone', prefix: '+331' }), 'u0 u1 u2 u3 u4 u5')
    assert.equal(await found({ kind: 'phone', prefix: '+33100000003' }), 'u3')
    assert.equal(await found({ kind: 'phone', prefix: '+', state: 'suspended' }), 'u0 u2 u4')

    const pages: string[] = []
    let page: FoundAddresses = { users: [], next: null }
    do {
      page = await find({ kind: 'email', prefix: 'ad' }, 2, page.next)
      pages.push(idsOf(page.users))
    } while (page.next !== null)
    assert.deepEqual(pages, ['u3 u5', 'u1 u0', 'u2'])
    await close()
  })

  test('a search by state reads a bounded part of the addresses, and continues after it', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const { users } = tenant
    const count = 550
    const addressOf = (index: number) => `user${String(index).padStart(5, '0')}@b.example`
    await tenant.write(async (tx) => {
      for (let index = 0; index < count; index++)
        await tx.users.add(userOf({ email: addressOf(index), ...(index === count - 1 && { suspension }) }), null)
    })
    const search = { kind: 'email', prefix: 'user', state: 'suspended' } as const
    const first = await users.search(search, { limit: 51, after: null })
    assert.deepEqual([first.users, first.next], [[], addressOf(499)])
    const second = await users.search(search, { limit: 51, after: first.next })
    assert.deepEqual([second.users.map(({ email }) => email), second.next], [[addressOf(count - 1)], null])
    await close()
  })
}
