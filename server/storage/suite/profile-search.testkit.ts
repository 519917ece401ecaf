import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullRunsOnly, sampleOf } from '../../../test/support/runner/sample-size.ts'
import type { ProfileSearch, SearchPosition } from '../../profiles/index/profile-search.ts'
import type { TenantStorage } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, rangeOf, searchOf, userOf } from './samples.testkit.ts'

/** Stores users with values by field. */
async function addUsers(tenant: TenantStorage, users: Readonly<Record<string, Record<string, string>>>): Promise<void> {
  await tenant.write(async (tx) => {
    for (const [id, values] of Object.entries(users)) {
      await tx.users.add(userOf({ id }), null)
      await tx.profileIndex.addSearch(Object.entries(values).map(([field, value]) => ({ field, value, userId: id })))
    }
  })
}

/** All results of a search in pages, as ids. */
async function idsInPages({ profileSearch }: TenantStorage, search: ProfileSearch, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  let after: SearchPosition | null = null
  for (;;) {
    const results = await profileSearch.list(search, { limit, after })
    pages.push(results.map(({ user }) => user.id))
    const last = results.at(-1)
    if (last === undefined || results.length < limit) return pages
    after = { value: last.value, userId: last.user.id }
  }
}

/** The index of searchable profile fields. */
export function profileSearchTests(open: OpenStorage): void {
  test('lists users by value, then by id, in pages without gaps or repetitions', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const values = { a1: 'ann', b1: 'anna', a2: 'ann', c1: 'anne', d1: 'bob', e1: 'an', f1: '' }
    await addUsers(tenant, Object.fromEntries(Object.entries(values).map(([id, name]) => [id, { name }])))
    const search = { ranges: [{ field: 'name', from: 'an', to: 'ao' }] } as const
    const ordered = ['e1', 'a1', 'a2', 'b1', 'c1']
    for (const limit of [1, 2, 3, 5, 9]) {
      assert.deepEqual((await idsInPages(tenant, search, limit)).flat(), ordered, `${limit} a page`)
    }
    assert.deepEqual(await idsInPages(tenant, searchOf(['name', 'ann']), 1), [['a1'], ['a2'], []])
    assert.deepEqual(await idsInPages(tenant, searchOf(['name', 'a']), 9), [[]])
    assert.deepEqual(await idsInPages(tenant, searchOf(['city', 'ann']), 9), [[]])
    await close()
  })

  test('orders values by code point, like their UTF-8 bytes', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const values = ['z', 'Z', 'é', 'a', '\uffee', '\u{1f600}', '-', '~']
    await addUsers(tenant, Object.fromEntries(values.map((name) => [`of ${name}`, { name }])))
    const all = { ranges: [{ field: 'name', from: '', to: '\u{10ffff}' }] } as const
    const ordered = ['-', 'Z', 'a', 'z', '~', 'é', '\uffee', '\u{1f600}'].map((name) => `of ${name}`)
    assert.deepEqual((await idsInPages(tenant, all, 3)).flat(), ordered)
    await close()
  })

  test('finds users that have values in all ranges and an id with the prefix', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await addUsers(tenant, {
      x1: { city: 'paris', age: '30', plan: 'pro' },
      x2: { city: 'paris', age: '31', plan: 'free' },
      y1: { city: 'paris', age: '30', plan: 'pro' },
      y2: { city: 'rome', age: '30', plan: 'pro' },
      y3: { city: 'paris', plan: 'pro' },
    })
    const [city, age, plan] = [rangeOf('city', 'paris'), rangeOf('age', '30'), rangeOf('plan', 'pro')]
    const ids = async (search: ProfileSearch) => (await idsInPages(tenant, search, 2)).flat()
    assert.deepEqual(await ids({ ranges: [city] }), ['x1', 'x2', 'y1', 'y3'])
    assert.deepEqual(await ids({ ranges: [city, age] }), ['x1', 'y1'])
    assert.deepEqual(await ids({ ranges: [age, city] }), ['x1', 'y1'])
    assert.deepEqual(await ids({ ranges: [city, plan] }), ['x1', 'y1', 'y3'])
    assert.deepEqual(await ids({ ranges: [city, plan, age] }), ['x1', 'y1'])
    assert.deepEqual(await ids({ ranges: [city, age, plan], idPrefix: 'y' }), ['y1'])
    assert.deepEqual(await ids({ ranges: [city], idPrefix: 'y' }), ['y1', 'y3'])
    assert.deepEqual(await ids({ ranges: [city], idPrefix: 'x2' }), ['x2'])
    const ages = { field: 'age', from: '3', to: '4' }
    assert.deepEqual(await ids({ ranges: [ages], idPrefix: 'x' }), ['x1', 'x2'])
    assert.equal(await tenant.profileSearch.holds('x1', city), true)
    assert.equal(await tenant.profileSearch.holds('y2', city), false)
    assert.equal(await tenant.profileSearch.holds('y3', age), false)
    await close()
  })

  test('reads on when few of the first range’s users are in the others', fullRunsOnly, async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const users = Array.from({ length: 4_500 }, (_, index) => {
      const isRare = index === 1_999 || index === 2_000 || index === 4_499
      return [String(10_000 + index), { city: 'paris', plan: isRare ? 'pro' : 'free' }] as const
    })
    await addUsers(tenant, Object.fromEntries(users))
    const search = searchOf(['city', 'paris'], ['plan', 'pro'])
    for (const limit of sampleOf([1, 2, 3, 9])) {
      assert.deepEqual((await idsInPages(tenant, search, limit)).flat(), ['11999', '12000', '14499'], `${limit} a page`)
    }
    await close()
  })

  test('finds no deleted user', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await addUsers(tenant, { u: { city: 'paris' }, v: { city: 'paris' } })
    await tenant.users.remove('v')
    assert.deepEqual(await idsInPages(tenant, searchOf(['city', 'paris']), 9), [['u']])
    await close()
  })
}
