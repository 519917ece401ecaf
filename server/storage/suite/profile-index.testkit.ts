import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, profileOf } from './samples.testkit.ts'

const entry = (value: string, userId: string, field = 'nick@1') => ({ field, value, userId })

/** The index of unique and searchable values. */
export function profileIndexTests(open: OpenStorage): void {
  test('of 32 claims of one value at once, one applies', async () => {
    const { storage, dump, close } = await open()
    const stores = await newTenant(storage)
    const held = await atOnce(32, (index) => stores.write((tx) => tx.profileIndex.claim([entry('x', `u${index}`)])))
    assert.equal(held.filter((others) => others.length === 0).length, 1)
    const [row, ...more] = (await dump())['profile_unique'] ?? []
    assert.equal(more.length, 0)
    const others = held.flat()
    assert.equal(others.length, 31)
    for (const other of others) assert.equal(other.holder, row!['user_id'])
    await close()
  })

  test('a claim returns only the values that other users hold', async () => {
    const { storage, close } = await open()
    const { profileIndex } = await newTenant(storage)
    assert.deepEqual(await profileIndex.claim([entry('b', 'u'), entry('a', 'u'), entry('a', 'u', 'mail@1')]), [])
    assert.deepEqual(await profileIndex.claim([entry('a', 'u')]), [], 'claims again what it has')
    const held = await profileIndex.claim([entry('a', 'v'), entry('c', 'v')])
    assert.deepEqual(held, [{ ...entry('a', 'v'), holder: 'u' }])
    await profileIndex.release([entry('a', 'v')])
    assert.deepEqual(await profileIndex.holders([entry('a', ''), entry('none', '')]), [entry('a', 'u')])
    await profileIndex.release([entry('a', 'u')])
    assert.deepEqual(await profileIndex.claim([entry('a', 'v')]), [])
    await close()
  })

  test('a claim of a transaction that rolls back leaves the value free', async () => {
    const { storage, dump, close } = await open()
    const stores = await newTenant(storage)
    const failed = stores.write(async ({ profileIndex }) => {
      await Promise.all([profileIndex.claim([entry('a', 'u')]), profileIndex.addSearch([entry('a', 'u')])])
      throw new Error('refused')
    })
    await assert.rejects(failed, /refused/)
    assert.deepEqual([(await dump())['profile_unique'], (await dump())['profile_search']], [[], []])
    assert.deepEqual(await stores.profileIndex.claim([entry('a', 'v')]), [])
    await close()
  })

  test('removes all entries of a user, and of a field in batches', async () => {
    const { storage, close } = await open()
    const { profileIndex } = await newTenant(storage)
    const entries = ['1', '2', '3'].flatMap((value) => [entry(value, 'u'), entry(value, 'u', 'old@1')])
    const other = [entry('4', 'v', 'old@1')]
    await Promise.all([profileIndex.claim([...entries, ...other]), profileIndex.addSearch([...entries, ...other])])
    assert.deepEqual([await profileIndex.nextField(''), await profileIndex.nextField('nick@1')], ['nick@1', 'old@1'])
    assert.equal(await profileIndex.removeField('old@1', 3), true)
    assert.equal(await profileIndex.removeField('old@1', 3), false)
    assert.equal(await profileIndex.nextField('nick@1'), null)
    const kept = ['1', '2', '3'].map((value) => ({ field: 'nick@1', value }))
    assert.deepEqual(await profileIndex.entriesOf('u'), { unique: kept, search: kept })
    await profileIndex.removeAllOf('u')
    assert.deepEqual(await profileIndex.entriesOf('u'), { unique: [], search: [] })
    await close()
  })

  test('replaces a searchable value of one user', async () => {
    const { storage, close } = await open()
    const { profileIndex } = await newTenant(storage)
    await profileIndex.addSearch([entry('before', 'u'), entry('before', 'v')])
    const replaced = { ...entry('after', 'u'), before: 'before' }
    await profileIndex.replaceSearch([replaced])
    const found = await Promise.all(['u', 'v'].map((user) => profileIndex.entriesOf(user)))
    assert.deepEqual(
      found.map(({ search }) => search.map(({ value }) => value)),
      [['after'], ['before']],
    )
    await close()
  })

  test('an attempt that needs a transaction for its claims runs in one', async () => {
    const { storage, dump, close } = await open()
    const stores = await newTenant(storage)
    const failed = stores.writeOptimistically(async ({ profiles, profileIndex }) => {
      profileIndex.requireTransaction()
      await Promise.all([profiles.save(profileOf(), null), profileIndex.claim([entry('a', 'u')])])
      throw new Error('refused')
    })
    await assert.rejects(failed, /refused/)
    assert.deepEqual([(await dump())['profiles'], (await dump())['profile_unique']], [[], []])
    await close()
  })

  test('lists and counts profiles, with the version that each is indexed for', async () => {
    const { storage, close } = await open()
    const { profiles } = await newTenant(storage)
    for (const id of ['p1', 'p2', 'p3']) await profiles.save(profileOf({ id, userId: id }), null)
    await profiles.save(profileOf({ id: 'p4', userId: 'p4', indexedOrdinal: 7 }), null)
    const page = async (cursor: string | null) =>
      (await profiles.listIndexStates({ limit: 2, cursor })).map(({ id, indexedOrdinal }) => [id, indexedOrdinal])
    assert.deepEqual(
      [await page(null), await page('p2')],
      [
        [
          ['p1', null],
          ['p2', null],
        ],
        [
          ['p3', null],
          ['p4', 7],
        ],
      ],
    )
    const read = await profiles.find('p2')
    assert.equal(await profiles.markIndexed(read!, 7), true)
    assert.equal(await profiles.markIndexed(read!, 7), false, 'the mark is a change')
    assert.equal((await profiles.find('p2'))?.indexedOrdinal, 7)
    assert.deepEqual(await page('p1'), [
      ['p2', 7],
      ['p3', null],
    ])
    assert.deepEqual([await profiles.countUpTo(3), await profiles.countUpTo(9)], [3, 4])
    await close()
  })
}
