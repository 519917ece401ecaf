import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, profileOf } from './samples.testkit.ts'

/** Users' profiles. */
export function profileTests(open: OpenStorage): void {
  test('of 32 first saves of one user’s profile at once, one applies', async () => {
    const { storage, dump, close } = await open()
    const { profiles } = await newTenant(storage)
    const saved = await atOnce(32, () => profiles.save(profileOf({ userId: 'u' }), null))
    assert.equal(saved.filter(Boolean).length, 1)
    assert.equal((await dump())['profiles']?.length, 1)
    await close()
  })

  test('save replaces the profile that was read, and not a later one', async () => {
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
    assert.equal(await profiles.save(next, read), false, 'the new profile has the same revision as the erased one')
    await close()
  })

  test('markUnproven stores the fields; a later save stores its own list', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    await profiles.markUnproven('u')
    const profile = profileOf({ userId: 'u', values: { iban: 'x', city: null } })
    await profiles.save(profile, null)
    const read = await profiles.find('u')
    await profiles.markUnproven('u')
    const marked = await profiles.find('u')
    assert.deepEqual(marked?.unprovenFields, ['iban', 'city'])
    assert.equal(await profiles.save(profile, read), false, 'the mark is a change')
    assert.equal(await profiles.save({ ...profile, unprovenFields: ['city'] }, marked), true)
    assert.deepEqual((await profiles.find('u'))?.unprovenFields, ['city'])
    await close()
  })

  test('counts the profiles of the tenant, and those of each version', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    const other = await newTenant(storage)
    assert.deepEqual([await profiles.countByVersion(), await profiles.count(2)], [new Map(), 0])
    for (const schemaVersion of ['1', '2', '1']) await profiles.save(profileOf({ schemaVersion }), null)
    await other.profiles.save(profileOf({ schemaVersion: '3' }), null)
    assert.deepEqual([...(await profiles.countByVersion())].sort(), [
      ['1', 2],
      ['2', 1],
    ])
    for (const step of [1, 2, 3, 4]) assert.equal(await profiles.count(step), 3)
    await close()
  })

  test('lists profiles in pages', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    for (const id of ['p3', 'p1', 'p2']) await profiles.save(profileOf({ id }), null)
    const page = async (request: Parameters<typeof profiles.list>[0]) =>
      (await profiles.list(request)).map(({ id }) => id)
    assert.deepEqual(await page({ limit: 2, cursor: null }), ['p1', 'p2'])
    assert.deepEqual(await page({ limit: 2, cursor: 'p2' }), ['p3'])
    await close()
  })

  test('lists the profiles of a range of users for exports', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    const saved = ['c', 'a', 'b', 'd'].map((userId) => profileOf({ userId }))
    for (const profile of saved) await profiles.save(profile, null)
    const usersOf = async (first: string, last: string) =>
      (await profiles.listBetween(first, last)).map(({ userId }) => userId).sort()
    assert.deepEqual(await usersOf('b', 'c'), ['b', 'c'])
    assert.deepEqual(await usersOf('bb', 'bz'), [])
    assert.deepEqual(await profiles.listBetween('a', 'a'), [{ ...saved[1], revision: 1 }])
    await close()
  })
}
